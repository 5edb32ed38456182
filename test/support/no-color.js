// The reports are compared as text, on a terminal too. On CI systems Jest sets FORCE_COLOR for its workers, and Node prints a warning
// where both are set.
delete process.env.FORCE_COLOR;
process.env.NO_COLOR = "1";
