// The boards of an album (display/album.py), as pictures.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const {tags, boards} = await new Response(stream).json();
  return boards.map(numbers => numbers.map(n => tags[n]).join(""));
}
