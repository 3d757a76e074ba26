import { describe, expect, it } from 'vitest'
import {
  foldPath,
  type Pairable,
  stemKeyOf,
  twinsAmong,
} from '../../../../../src-main/station/intake/evidence.ts'

const TYPES = { jpg: 'image/jpeg', tif: 'image/tiff', dcm: 'application/dicom', bmp: 'image/bmp' } as const

function file(fileName: string): Pairable {
  const extension = fileName.split('.').at(-1) as keyof typeof TYPES
  return { id: fileName, contentType: TYPES[extension], fileName }
}

const told = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(twinsAmong(names.map(file)))

describe('files of one stem', () => {
  it('are one photograph where one is DICOM, in whatever order', () => {
    expect(told('a.jpg', 'a.dcm')).toEqual({ 'a.dcm': 'a.jpg' })
    expect(told('a.dcm', 'a.jpg')).toEqual({ 'a.dcm': 'a.jpg' })
    expect(told('a.dcm', 'a.bmp')).toEqual({ 'a.dcm': 'a.bmp' })
  })

  it('are two where none is, and where it cannot be told which is meant', () => {
    expect(told('a.jpg', 'a.tif')).toEqual({})
    expect(told('a.dcm')).toEqual({})
    expect(told('a.dcm', 'b.dcm', 'a.jpg')).toEqual({})
  })

  it('give the DICOM file to the picture that is most like what is sent', () => {
    expect(told('a.tif', 'a.jpg', 'a.dcm')).toEqual({ 'a.dcm': 'a.jpg' })
  })
})

it('names of one photograph are alike but for the extension, the case and the Unicode form', () => {
  expect(stemKeyOf('Visit/IMG_1.JPG')).toBe(stemKeyOf('visit/img_1.dcm'))
  expect(stemKeyOf('año/1.jpg'.normalize('NFD'))).toBe(stemKeyOf('año/1.dcm'))
  expect(stemKeyOf('a/1.jpg')).not.toBe(stemKeyOf('b/1.jpg'))
  expect(stemKeyOf('a.b/1')).toBe('a.b/1')
  expect(foldPath('A/Ñ.JPG')).toBe('a/ñ.jpg')
})
