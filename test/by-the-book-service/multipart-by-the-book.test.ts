import { describe, expect, it } from 'vitest'
import { readMultipart } from './multipart-by-the-book.ts'

const BYTES = Buffer.from('\r\n--x\r\nbytes that look like a boundary\r\n--x--\0', 'latin1')

function bodyOf(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`)
}

const TYPE = 'multipart/form-data; boundary=x'
const GOOD = 'Content-Disposition: form-data; name="a"\r\n\r\n1'

describe('the parser by the book', () => {
  it('reads fields and files, byte for byte', () => {
    const file =
      'Content-Disposition: form-data; name="images[]"; filename="ä %22.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    const body = Buffer.concat([
      Buffer.from(`--yy\r\n${GOOD}\r\n--yy\r\n${file}`),
      BYTES,
      Buffer.from('\r\n--yy--'),
    ])
    expect(readMultipart('multipart/form-data; boundary="yy"', body)).toEqual([
      { name: 'a', fileName: null, contentType: null, bytes: Buffer.from('1') },
      { name: 'images[]', fileName: 'ä %22.jpg', contentType: 'image/jpeg', bytes: BYTES },
    ])
  })

  it.each<[string, string, Buffer]>([
    ['not multipart/form-data', 'text/plain', bodyOf(GOOD)],
    ['no boundary', 'multipart/form-data; charset=x', bodyOf(GOOD)],
    ['no boundary', 'multipart/form-data; boundary="x*"', bodyOf(GOOD)],
    ['no delimiter', TYPE, Buffer.from('--y--')],
    ['no closing delimiter', TYPE, Buffer.from(`--x\r\n${GOOD}`)],
    ['more than the delimiter', TYPE, Buffer.from(`--xy\r\n${GOOD}\r\n--x--`)],
    ['no delimiter', TYPE, Buffer.from(`\n--x\n${GOOD}`)],
    ['empty line', TYPE, bodyOf('Content-Disposition: form-data; name="a"')],
    ['not form-data', TYPE, bodyOf('Content-Type: text/plain\r\n\r\n1')],
    ['without a name', TYPE, bodyOf('Content-Disposition: form-data; name=""\r\n\r\n1')],
    ['filename*', TYPE, bodyOf(`Content-Disposition: form-data; name="a"; filename*=utf-8''b\r\n\r\n1`)],
    ['transfer-encoding in a part', TYPE, bodyOf(`Content-Transfer-Encoding: binary\r\n${GOOD}`)],
    ['twice in one part', TYPE, bodyOf(`Content-Disposition: form-data; name="b"\r\n${GOOD}`)],
    ['cannot be read', TYPE, bodyOf('Content-Disposition: form-data; name=a b\r\n\r\n1')],
  ])('refuses what breaks a rule: %s', (rule, contentType, body) => {
    expect(() => readMultipart(contentType, body)).toThrow(rule)
  })
})
