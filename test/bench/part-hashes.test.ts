import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashParts } from './part-hashes.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const NEARLY_ALL = Buffer.from('\r\n--edg\r\n--\r\n\r\n-edge\r\n-')

it.each([1, 3, 7, 64, 100_000])('hashes the files of a body that comes in pieces of %d bytes', (step) => {
  const files = [randomBytes(500), Buffer.alloc(0), NEARLY_ALL]
  const body = Buffer.concat([
    Buffer.from('--edge\r\nContent-Disposition: form-data; name="age"\r\n\r\n47\r\n'),
    ...files.flatMap((bytes) => [
      Buffer.from('--edge\r\nContent-Disposition: form-data; name="images[]"; filename="a.jpg"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--edge--\r\n'),
  ])
  const hashes = hashParts('edge')
  for (let at = 0; at < body.length; at += step) hashes.take(body.subarray(at, at + step))
  expect(hashes.files()).toEqual(files.map(sha256))
})

it('has no hash of a file that did not end', () => {
  const hashes = hashParts('edge')
  hashes.take(Buffer.from('--edge\r\nContent-Disposition: form-data; filename="a"\r\n\r\nhalf of it'))
  expect(hashes.files()).toEqual([])
})
