import { expect, it } from 'vitest'
import { maskFileName, maskName, maskNameIn, maskRaw } from '../../../src-renderer/privacy/names.tsx'

it.each([
  [maskName, 'Sampleton, Synthia', 'S\u2022\u2022\u2022, S\u2022\u2022\u2022'],
  [maskName, "O'Mocksey, Mockbert", 'O\u2022\u2022\u2022, M\u2022\u2022\u2022'],
  [maskName, 'van Fiktief, Demodora-Ana', 'v\u2022\u2022\u2022 F\u2022\u2022\u2022, D\u2022\u2022\u2022'],
  [maskName, 'E\u0301tienne', 'E\u0301\u2022\u2022\u2022'],
  [maskName, '\u00d6', '\u00d6\u2022\u2022\u2022'],
  [maskName, '', ''],
  [maskFileName, 'Sampleton_Synthia_OD_1.jpg', 'S\u2022\u2022\u2022_S\u2022\u2022\u2022_OD_1.jpg'],
  [maskFileName, 'Li-20261120/IMG_0001.JPG', 'L\u2022\u2022\u2022-20261120/IMG_0001.JPG'],
  [maskFileName, 'H-00412_20261120/OS_2.dcm', 'H-00412_20261120/OS_2.dcm'],
])('%o shows %j as %j', (mask, text, masked) => expect(mask(text)).toBe(masked))

const KNOWN = { last_name: 'Nobodyov\u00e1', first_name: 'Al' }

it.each([
  ['Nobodyova_Al_20261120/OD_1.jpg', KNOWN, 'N\u2022\u2022\u2022_A\u2022\u2022\u2022_20261120/OD_1.jpg'],
  ['NOBODYOV\u00c1OD.jpg', KNOWN, 'N\u2022\u2022\u2022.jpg'],
  ['AL2.jpg, also all of the final ones', KNOWN, 'A\u2022\u2022\u20222.jpg, also all of the final ones'],
  ['visit/IMG_0001.jpg', KNOWN, 'visit/IMG_0001.jpg'],
  ['Sampleton.jpg', {}, 'Sampleton.jpg'],
])('masks in %j of %o the name: %j', (text, fields, masked) => expect(maskNameIn(text, fields)).toBe(masked))

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
    { patient: { sex: 'female', name: [{ first: ['Synthia'] }] } },
    { patient: { sex: 'female', name: [{ first: [S] }] } },
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
