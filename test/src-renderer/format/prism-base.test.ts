import { describe, expect, it } from 'vitest'
import {
  BASE_DIRECTIONS,
  degreesOfBase,
  directionOfBase,
  sameBaseOfOtherEye,
} from '../../../src-renderer/format/optics.ts'
import { fc } from '../../tools/property.ts'

const anyEye = fc.constantFrom('right' as const, 'left' as const)
const anyCoding = fc.constantFrom('examiner' as const, 'patient' as const)

describe('the base of a prism', () => {
  it.each([
    ['examiner', 'right', { up: 90, down: 270, in: 0, out: 180 }],
    ['examiner', 'left', { up: 90, down: 270, in: 180, out: 0 }],
    ['patient', 'right', { up: 90, down: 270, in: 180, out: 0 }],
    ['patient', 'left', { up: 90, down: 270, in: 0, out: 180 }],
  ] as const)('as the %s sees it, %s eye', (coding, eye, degrees) => {
    for (const direction of BASE_DIRECTIONS)
      expect(degreesOfBase(eye, direction, coding)).toBe(degrees[direction])
  })

  it('comes back from its degrees as the same direction', () => {
    fc.assert(
      fc.property(anyEye, anyCoding, fc.constantFrom(...BASE_DIRECTIONS), (eye, coding, direction) => {
        expect(directionOfBase(eye, degreesOfBase(eye, direction, coding), coding)).toBe(direction)
      }),
    )
  })

  it('mirrored is the other coding', () => {
    fc.assert(
      fc.property(anyEye, fc.constantFrom(...BASE_DIRECTIONS), (eye, direction) => {
        const seen = degreesOfBase(eye, direction, 'examiner')
        expect(degreesOfBase(eye, direction, 'patient')).toBe((540 - seen) % 360)
      }),
    )
  })

  it('has no direction between the four', () => {
    expect(directionOfBase('right', 45, 'examiner')).toBeNull()
    expect(directionOfBase('right', 360, 'examiner')).toBe('in')
  })

  it('copied to the other eye keeps its word, or its angle', () => {
    expect(sameBaseOfOtherEye('right', 0, 'examiner')).toBe(180)
    expect(sameBaseOfOtherEye('right', 90, 'examiner')).toBe(90)
    expect(sameBaseOfOtherEye('right', 45, 'examiner')).toBe(45)
    expect(sameBaseOfOtherEye('left', 0, 'patient')).toBe(180)
  })
})
