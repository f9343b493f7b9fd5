// The types of `require`.
import omniread = require("omniread");

const reader: omniread.Reader = new omniread.Reader(null, { timeout: null });
const dialects: readonly omniread.Dialect[] = omniread.DIALECTS;
export = { reader, dialects };
