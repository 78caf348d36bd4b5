export default {
  output: 'export',
  distDir: 'docs',
};
