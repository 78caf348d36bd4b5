import { createRoot } from "react-dom/client";

// Variables whose names begin with VITE_ are part of the build.
const name = import.meta.env.VITE_NAME ?? "world";

createRoot(document.getElementById("root")).render(<h1>Hello, {name}!</h1>);
