import { basename, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sanitiseFileName } from '../../../../src-main/station/lib/files.ts'
import { fc } from '../../../tools/property.ts'

describe('the name of a file that is handed over', () => {
  it.each([
    ['OD_1.jpg', 'OD_1.jpg'],
    ['Fondo ojo derecho \u00d1.JPG', 'Fondo ojo derecho \u00d1.JPG'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\Windows\\OD.jpg', 'OD.jpg'],
    ['C:\\scans\\OD.jpg', 'OD.jpg'],
    ['/', 'image'],
    ['..', 'image'],
    ['...', 'image'],
    ['', 'image'],
    ['.hidden.jpg', 'hidden.jpg'],
    ['OD.jpg. . ', 'OD.jpg'],
    ['OD\u0000.jpg\n', 'OD.jpg'],
    ['OD\u202egpj.exe', 'ODgpj.exe'],
    ['a:b|c?.jpg', 'a_b_c_.jpg'],
    ['CON', '_CON'],
    ['nul.jpg', '_nul.jpg'],
    ['COM1.tif', '_COM1.tif'],
    ['console.jpg', 'console.jpg'],
    ['\ud800OD.jpg', 'OD.jpg'],
  ])('%j becomes %j', (name, plain) => {
    expect(sanitiseFileName(name)).toBe(plain)
  })

  it('of 300 letters keeps its beginning and its extension', () => {
    const plain = sanitiseFileName(`OD_${'\u00f1'.repeat(300)}.tiff`)
    expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(180)
    expect([plain.startsWith('OD_\u00f1'), plain.endsWith('\u00f1.tiff')]).toEqual([true, true])
  })

  it('is one plain name on every system, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const plain = sanitiseFileName(name)
        expect([basename(plain), win32.basename(plain)]).toEqual([plain, plain])
        expect(plain).not.toMatch(/^\.|[. ]$|[\p{Cc}<>:"|?*/\\]/u)
        expect(plain.length).toBeGreaterThan(0)
        expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(181)
        expect(sanitiseFileName(plain)).toBe(plain)
      }),
    )
  })
})
