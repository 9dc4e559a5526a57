// The library, compiled to WebAssembly: a question in JSON with numbers beside it, an answer of the same form.

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_`~";

/// The bytes that an element of the page carries: five letters are four of them.
function carried(id) {
  const element = document.getElementById(id);
  const text = element.textContent;
  const digits = new Uint8Array(128);
  [...LETTERS].forEach((letter, digit) => { digits[letter.charCodeAt(0)] = digit; });
  const bytes = new DataView(new ArrayBuffer(text.length / 5 * 4));
  for (let at = 0; at < text.length; at += 5) {
    let number = 0;
    for (let k = 0; k < 5; k++) number = number * 85 + digits[text.charCodeAt(at + k)];
    bytes.setUint32(at / 5 * 4, number);
  }
  return new Uint8Array(bytes.buffer, 0, Number(element.dataset.length));
}

let exported = null;

/// Starts the engine. The answer has the texts of the embedded tables by name.
export async function loadEngine() {
  const zipped = new Blob([carried("unpacker")]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { instance: { exports: unpacker } } = await WebAssembly.instantiate(await new Response(zipped).arrayBuffer(), {});
  const packed = carried("packed");
  const place = unpacker.packed(packed.length);
  new Uint8Array(unpacker.memory.buffer, place, packed.length).set(packed);
  const length = unpacker.unpack();
  const all = new Uint8Array(unpacker.memory.buffer, unpacker.unpacked(), length);
  const n = Number(document.getElementById("packed").dataset.tables);
  const { instance } = await WebAssembly.instantiate(all.slice(n), {});
  exported = instance.exports;
  return JSON.parse(new TextDecoder().decode(all.slice(0, n)));
}

function put(bytes, place) {
  new Uint8Array(exported.memory.buffer, place, bytes.length).set(bytes);
}

/// Asks for something. `numbers` is a Float64Array or bytes. The answer has the fields of the JSON, and its bytes.
export function ask(request, numbers = new Uint8Array()) {
  const text = new TextEncoder().encode(JSON.stringify(request));
  const bytes = numbers instanceof Uint8Array ? numbers : new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  put(text, exported.request(text.length));
  put(bytes, exported.bytes(bytes.length));
  exported.answer();
  const slice = (place, length) => new Uint8Array(exported.memory.buffer, place, length).slice();
  const answer = JSON.parse(new TextDecoder().decode(slice(exported.text(), exported.text_length())));
  answer.bytes = slice(exported.numbers(), exported.numbers_length());
  return answer;
}

export function doubles(answer) {
  return new Float64Array(answer.bytes.buffer);
}

export function memory() {
  return exported.memory.buffer.byteLength;
}
