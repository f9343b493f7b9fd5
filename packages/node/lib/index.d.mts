export * from "./index.js";
import * as omniread from "./index.js";
export default omniread;
