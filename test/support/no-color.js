// The reports are compared as text, on a terminal too.
process.env.NO_COLOR = "1";
