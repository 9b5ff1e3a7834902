// @ts-check
// Boards that share their tags (display/board_pack.py), put together again.

/** @typedef {{tags: string[], boards: number[][]}} BoardPack */

/**
 * @param {BoardPack} pack
 * @returns {string[]}
 */
export const pictures = ({tags, boards}) =>
  boards.map((numbers) => numbers.map((n) => tags[n]).join(""));

/**
 * The pictures of a board pack that was compressed into a text.
 * @param {string} text
 */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return pictures(await new Response(stream).json());
}
