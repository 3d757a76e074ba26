import { describe, expect, it } from 'vitest'
import { maskFileName, maskName, maskNameIn } from '../../../src-renderer/privacy/names.tsx'

describe('a hidden name', () => {
  it.each([
    ['Sampleton, Synthia', 'S\u2022\u2022\u2022, S\u2022\u2022\u2022'],
    ["O'Mocksey, Mockbert", 'O\u2022\u2022\u2022, M\u2022\u2022\u2022'],
    ['van Fiktief, Demodora-Ana', 'v\u2022\u2022\u2022 F\u2022\u2022\u2022, D\u2022\u2022\u2022'],
    ['E\u0301tienne', 'E\u0301\u2022\u2022\u2022'],
    ['\u00d6', '\u00d6\u2022\u2022\u2022'],
    ['', ''],
  ])('%j is %j', (name, masked) => expect(maskName(name)).toBe(masked))
})

describe('a text in which a name may stand', () => {
  const fields = { last_name: 'Nobodyov\u00e1', first_name: 'Al' }
  it.each([
    ['Nobodyova_Al_20261120/OD_1.jpg', 'N\u2022\u2022\u2022_A\u2022\u2022\u2022_20261120/OD_1.jpg'],
    ['NOBODYOV\u00c1OD.jpg', 'N\u2022\u2022\u2022.jpg'],
    ['AL2.jpg, also all of the final ones', 'A\u2022\u2022\u20222.jpg, also all of the final ones'],
    ['visit/IMG_0001.jpg', 'visit/IMG_0001.jpg'],
  ])('%j is %j', (text, masked) => expect(maskNameIn(text, fields)).toBe(masked))

  it('stays as it is where no name is known', () => {
    expect(maskNameIn('Sampleton.jpg', {})).toBe('Sampleton.jpg')
  })
})

it.each([
  ['Sampleton_Synthia_OD_1.jpg', 'S\u2022\u2022\u2022_S\u2022\u2022\u2022_OD_1.jpg'],
  ['Li-20261120/IMG_0001.JPG', 'L\u2022\u2022\u2022-20261120/IMG_0001.JPG'],
  ['H-00412_20261120/OS_2.dcm', 'H-00412_20261120/OS_2.dcm'],
])('a file named %j is shown as %j', (fileName, masked) => expect(maskFileName(fileName)).toBe(masked))
