export default () => <p>hello</p>;
