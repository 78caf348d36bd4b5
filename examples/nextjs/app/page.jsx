// Made anew for each request, so it needs the server.
export const dynamic = "force-dynamic";

export default function Page() {
  return (
    <h1>
      Hello from {process.env.GREETER ?? "Next.js"}, {new Date().toISOString()}
    </h1>
  );
}
