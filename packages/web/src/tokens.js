// The estimate of the tokens of a text: the same rule and tables as the crate `guest/tokens`, whose page
// states its error.

const UNITS = 64;
const DIGITS_IN_A_TOKEN = 3;
const SPACES_IN_A_TOKEN = 112;
const BREAKS_IN_A_TOKEN = 20;
const BYTES_IN_A_TOKEN = 64;

const UPPER = 1;
const LOWER = 2;
const HIGH = 4;
const DIGIT = 8;
const SPACE = 16;
const BREAK = 32;
const BLANK = 64;
const SIGN = 128;
const LETTER = UPPER | LOWER | HIGH;
const WHITE = SPACE | BREAK | BLANK;

const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return HIGH;
  const character = String.fromCharCode(byte);
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (character === " ") return SPACE;
  if (character === "\n" || character === "\r") return BREAK;
  return /[\t\v\f]/.test(character) ? BLANK : SIGN;
});

/** 2^64 divided by the golden ratio, as its upper and lower half, and whole. */
const SPREAD_UPPER = 0x9e3779b9;
const SPREAD_LOWER = 0x7f4a7c15;
const SPREAD = 0x9e3779b97f4a7c15n;

/** The upper 14 bits of the lower 64 of a product with a number of 24 bits. */
function threeHash(window) {
  const low = window * (SPREAD_LOWER & 0xffff);
  const high = window * (SPREAD_LOWER >>> 16);
  const carried = Math.floor((high + Math.floor(low / 0x10000)) / 0x10000);
  return (Math.imul(window, SPREAD_UPPER) + carried) >>> 18;
}

/** The upper 13 bits of the lower 64 of a product with a number of 48 bits. */
function sixHash(upper, lower) {
  const window = (BigInt(upper) << 24n) | BigInt(lower);
  return Number(BigInt.asUintN(64, window * SPREAD) >> 51n);
}

/**
 * A function that estimates the tokens of a text.
 *
 * @param {Int8Array} three the table `three.bin` of the crate
 * @param {Int8Array} six the table `six.bin`
 * @returns {(text: string) => number}
 */
export function estimator(three, six) {
  let bytes;
  // The last six bytes of a piece, three in each, and the sum of what the tables add.
  let upper;
  let lower;
  let sum;

  const add = (byte) => {
    upper = ((upper << 8) | (lower >>> 16)) & 0xffffff;
    lower = ((lower << 8) | byte) & 0xffffff;
    sum += three[threeHash(lower)];
  };
  const begin = (from, count) => {
    upper = lower = sum = 0;
    for (let at = from; at < from + count; at += 1) add(bytes[at]);
  };
  const cost = (length) => {
    add(1);
    return Math.max(UNITS + sum, UNITS, Math.floor((length * UNITS) / BYTES_IN_A_TOKEN));
  };
  const classAt = (at) => (at < bytes.length ? CLASSES[bytes[at]] : 0);

  // Each of these returns the length of a piece and its cost.
  const digits = (from) => {
    let end = from;
    while (classAt(end) === DIGIT) end += 1;
    return [end - from, Math.ceil((end - from) / DIGITS_IN_A_TOKEN) * UNITS];
  };
  const word = (from, lead) => {
    begin(from, lead);
    let letters = LETTER;
    let at = from + lead;
    for (; at < bytes.length; at += 1) {
      const kind = CLASSES[bytes[at]];
      if (!(kind & letters)) break;
      if (kind !== UPPER) letters = LOWER | HIGH;
      add(bytes[at]);
      const ends = at + 1 >= bytes.length || (bytes[at + 1] & 0xc0) !== 0x80;
      if (kind === HIGH && ends) sum += six[sixHash(upper, lower)];
    }
    return [at - from, cost(at - from)];
  };
  const signs = (from, spaces) => {
    if (spaces === 0 && classAt(from + 1) & LETTER) return word(from, 1);
    begin(from, spaces);
    let classes = SIGN | BREAK;
    let at = from + spaces;
    for (; at < bytes.length; at += 1) {
      const kind = CLASSES[bytes[at]];
      if (!(kind & classes) && bytes[at] !== 0x2f) break;
      if (kind === BREAK) classes = BREAK;
      add(bytes[at]);
    }
    return [at - from, cost(at - from)];
  };
  const whiteCost = (from, end) => {
    if (end - from < BREAKS_IN_A_TOKEN) return UNITS;
    let spaces = 0;
    for (let at = from; at < end; at += 1) spaces += bytes[at] === 0x20 ? 1 : 0;
    const others = end - from - spaces;
    const more = Math.floor(spaces / SPACES_IN_A_TOKEN) + Math.floor(others / BREAKS_IN_A_TOKEN);
    return UNITS + more * UNITS;
  };
  const blanks = (from) => {
    const first = classAt(from);
    const second = classAt(from + 1);
    if (first === BREAK && second & (LETTER | DIGIT | SIGN)) return [1, UNITS];
    if (second & LETTER) return word(from, 1);
    if (first === SPACE && second === SIGN) return signs(from, 1);
    if (second & (DIGIT | SIGN) || second === 0) return [1, UNITS];
    let end = from;
    let lines = from;
    while (classAt(end) & WHITE) {
      end += 1;
      if (CLASSES[bytes[end - 1]] === BREAK) lines = end;
    }
    let last = lines;
    if (lines === from) last = end < bytes.length ? end - 1 : end;
    return [last - from, whiteCost(from, last)];
  };

  return (text) => {
    bytes = new TextEncoder().encode(text);
    let units = 0;
    for (let at = 0; at < bytes.length; ) {
      const kind = CLASSES[bytes[at]];
      let piece;
      if (kind === DIGIT) piece = digits(at);
      else if (kind & LETTER) piece = word(at, 0);
      else if (kind & WHITE) piece = blanks(at);
      else piece = signs(at, 0);
      units += piece[1];
      at += Math.max(piece[0], 1);
    }
    return Math.floor((units + UNITS / 2) / UNITS);
  };
}
