import { Elysia } from "elysia";

new Elysia().get("/", () => "hello").listen(process.env.PORT);
