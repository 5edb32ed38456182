import tseslint from "typescript-eslint";

// Only typed lint sees an Output inside a template string or an `if`: the commonest mistakes in Pulumi programs.
export default tseslint.config(
  { ignores: ["dist", "**/*.js", "**/*.cjs", "**/*.mjs", "examples/**", "test/fixtures/**"] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-base-to-string": "error",
      "@typescript-eslint/restrict-plus-operands": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-unnecessary-condition": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name='apply'] :matches(ArrowFunctionExpression, FunctionExpression) NewExpression[callee.type='MemberExpression'][callee.property.name!=/Error$/]",
          message: "Do not create resources inside apply: they are invisible in a preview.",
        },
      ],
    },
  },
  {
    files: ["components/**"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "pulumi", property: "Config", message: "Components take arguments; stacks read configuration." },
        { object: "pulumi", property: "getStack", message: "Components don't know the stack they are in." },
        { object: "process", property: "env", message: "Components don't read the environment." },
      ],
    },
  },
);
