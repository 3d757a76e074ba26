import { describe, expect, it } from 'vitest'
import { ignoredTermOf } from '../../../../src-main/station/cases/unusable.ts'

describe('a file that is left alone', () => {
  const settings = { leaveAlone: ['infrared', '11-visible', 'REPORTS', 'Máscara'] }
  it.each([
    ['HC-1-OD-0-infrared-1.dcm', 'infrared'],
    ['HC-1-OD-0-INFRARED.dcm', 'infrared'],
    ['HC-1-OD-11-visible-1.dcm', '11-visible'],
    ['12/Reports/1.jpg', 'REPORTS'],
    ['12/1_máscara.jpg'.normalize('NFD'), 'Máscara'],
    ['HC-1-OD-111-visible-1.dcm', null],
    ['HC-1-OD-0-infrared2.dcm', null],
    ['Infrared Ana_12/1.jpg', null],
    ['', null],
  ])('%s: %s', (path, term) => {
    expect(ignoredTermOf(settings, path)).toBe(term)
  })
})
