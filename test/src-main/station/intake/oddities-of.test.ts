import { describe, expect, it } from 'vitest'
import {
  type WarningImage,
  type WarningInput,
  warningsOf,
} from '../../../../src-main/station/intake/completeness.ts'

const image = (eye: WarningImage['eye'], given: Partial<WarningImage> = {}): WarningImage => ({
  id: `image ${eye}`,
  eye,
  isSent: true,
  oddities: [],
  ...given,
})

const USUAL: WarningInput = {
  fields: { history_number: 'H-1', visit_date: '2026-11-20' },
  images: [image('right'), image('left')],
  vaUnit: 'decimal',
  requireBothEyes: false,
  noImageBecause: {},
  unclear: [],
  rejectedValues: [],
  sentBefore: [],
  today: '2026-11-21',
}

function told(given: Partial<WarningInput>): string[] {
  const oddities = warningsOf({ ...USUAL, ...given })
  for (const { message } of oddities) expect(message).toMatch(/^[A-Z].*\.$/)
  return oddities.map(({ kind, field }) => (field === undefined ? kind : `${kind} ${field}`))
}

describe('what is unusual', () => {
  it('is nothing in a usual case', () => {
    expect(told({})).toEqual([])
  })

  it.each<readonly [string, Partial<WarningInput>, readonly string[]]>([
    ['a pressure of 30', { fields: { od_iop: 30 } }, ['unusualValue od_iop']],
    ['no pressure of 21', { fields: { od_iop: 21, os_iop: 14 } }, []],
    ['a cylinder of -9', { fields: { os_cylinder: -9 } }, ['unusualValue os_cylinder']],
    ['a visual acuity of 0.01', { fields: { od_va: 0.01 } }, ['unusualValue od_va']],
    ['no logMAR of 1.2', { fields: { od_va: 1.2 }, vaUnit: 'logMAR' }, []],
    ['a logMAR of 1.8', { fields: { os_va: 1.8 }, vaUnit: 'logMAR' }, ['unusualValue os_va']],
    ['an age of 112', { fields: { age: 112 } }, ['unusualValue age']],
    ['a visit of last year', { fields: { visit_date: '2025-11-20' } }, ['unusualValue visit_date']],
    ['spheres of two signs', { fields: { od_sphere: 2, os_sphere: -2 } }, ['eyesDiffer os_sphere']],
    ['spheres far apart', { fields: { od_sphere: -1, os_sphere: -8 } }, ['eyesDiffer os_sphere']],
    ['pressures far apart', { fields: { od_iop: 10, os_iop: 19 } }, ['eyesDiffer os_iop']],
    ['an eye without an image', { images: [image('right')] }, ['eyeWithoutImage']],
    ['no eye that is asked for anyway', { images: [image('right')], requireBothEyes: true }, []],
    ['no eye of which was said why', { images: [image('right')], noImageBecause: { left: 'cataract' } }, []],
    ['no eye that an unclear image may show', { images: [image('right'), image('unknown')] }, []],
    ['nine images of one eye', { images: [...Array(9).fill(image('right')), image('left')] }, ['imageCount']],
    ['a case of the same day that was sent', { sentBefore: ['FC00000000Q'] }, ['sentBefore']],
    ['a name that a pattern reads in part', { unclear: [{ message: 'The date is none.' }] }, ['nameUnclear']],
    [
      'a statement that could not be used',
      { rejectedValues: [{ message: 'The name is in no known letters.' }] },
      ['valueNotTaken'],
    ],
  ])('is %s', (_what, given, kinds) => {
    expect(told(given)).toEqual(kinds)
  })

  it('is told of the image that looks so', () => {
    const blank = { kind: 'blankImage', message: 'This picture is black.' } as const
    const [oddity] = warningsOf({ ...USUAL, images: [image('right', { oddities: [blank] }), image('left')] })
    expect(oddity).toEqual({ ...blank, imageId: 'image right' })
  })
})
