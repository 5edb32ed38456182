export * from "./components";
