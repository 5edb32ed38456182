// Stands for modules that the Pulumi SDK loads only to serialize functions (jest.config.js, moduleNameMapper).
