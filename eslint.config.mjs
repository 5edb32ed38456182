import tseslint from "typescript-eslint";

const inApply = "CallExpression[callee.property.name='apply'] :matches(ArrowFunctionExpression, FunctionExpression)";

/** `new aws.x.Y(...)`, and `new Component(name, args)`: plain classes of the language take one argument at most, or are errors. */
const noResourcesInApply = [
  "NewExpression[callee.type='MemberExpression'][callee.property.name!=/Error$/]",
  "NewExpression[callee.type='Identifier'][callee.name!=/^(Date|RegExp|.*Error)$/][arguments.length>=2]",
].map((made) => ({
  selector: `${inApply} ${made}`,
  message: "Do not create resources inside apply: they are invisible in a preview.",
}));

// Only typed lint sees an Output inside a template string or an `if`: the commonest mistakes in Pulumi programs.
export default tseslint.config(
  { ignores: ["dist", "**/*.js", "**/*.cjs", "**/*.mjs", "examples/**", "test/fixtures/**"] },
  ...tseslint.configs.recommended,
  {
    // One program for all: the project service took twice the time (79 s against 41 s of CPU).
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-base-to-string": "error",
      "@typescript-eslint/restrict-plus-operands": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-unnecessary-condition": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-restricted-syntax": ["error", ...noResourcesInApply],
    },
  },
  {
    files: ["components/**"],
    rules: {
      "no-restricted-globals": ["error", { name: "process", message: "Components don't read the environment." }],
      "no-restricted-syntax": [
        "error",
        ...noResourcesInApply,
        {
          selector: ":matches(MemberExpression[property.name='Config'], ImportSpecifier[imported.name='Config'])",
          message: "Components take arguments; stacks read configuration.",
        },
        {
          selector:
            "MemberExpression[object.name=/^(aws|awsx|eks|k8s|tls)$/][property.name='config'], ImportSpecifier[imported.name='config']",
          message: "Components ask their own provider (locationOf), not the default provider's configuration.",
        },
        {
          selector:
            ":matches(MemberExpression[property.name=/^get(Stack|Project|Organization)$/], ImportSpecifier[imported.name=/^get(Stack|Project|Organization)$/])",
          message: "Components don't know the stack they are in.",
        },
      ],
    },
  },
);
