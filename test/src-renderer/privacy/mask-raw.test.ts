import { expect, it } from 'vitest'
import { maskRaw } from '../../../src-renderer/privacy/names.tsx'

const S = 'S\u2022\u2022\u2022'
const same = (text: string): string => text

it.each([
  [
    { nombre: 'Synthia', APELLIDOS: ['Sampleton', 'Li'] },
    { nombre: S, APELLIDOS: [S, 'L\u2022\u2022\u2022'] },
  ],
  [{ full_name: 'Synthia Sampleton' }, { full_name: `${S} ${S}` }],
  [{ patient: 'H-00412 Sampleton' }, { patient: `H-00412 ${S}` }],
  [
    { patient: { sex: 'female', name: [{ given: ['Synthia'] }] } },
    { patient: { sex: 'female', name: [{ given: [S] }] } },
  ],
  [{ patients: [{ id: 'Abc', surname: 'Sampleton' }] }, { patients: [{ id: 'Abc', surname: S }] }],
  [
    { state: 'pending', age: 58, tags: ['fundus'], nota: null },
    { state: 'pending', age: 58, tags: ['fundus'], nota: null },
  ],
])('%j is shown as %j', (raw, masked) => expect(maskRaw(raw, same)).toEqual(masked))

it('looks for the known name under every other word', () => {
  const raw = { nota: 'Sampleton came back', images: [{ file: 'Sampleton' }] }
  expect(maskRaw(raw, (text) => text.replace('Sampleton', S))).toEqual({
    nota: `${S} came back`,
    images: [{ file: S }],
  })
})
