import { describe, expect, it } from 'vitest'
import { noteOn } from '../../../src-renderer/submission/measurements.tsx'

describe('a note below a measurement', () => {
  it.each([
    ['iop', { iop: 16 }, {}, null],
    ['iop', { iop: 22 }, {}, { kind: 'unusual', min: 6, max: 21 }],
    ['iop', { iop: 24 }, {}, { kind: 'high' }],
    ['iop', { iop: 5 }, {}, { kind: 'unusual', min: 6, max: 21 }],
    ['iop', { iop: 10 }, { iop: 20 }, { kind: 'differ', what: 'pressures' }],
    ['sphere', { sphere: 2 }, { sphere: -2 }, { kind: 'differ', what: 'sphereSigns' }],
    ['sphere', { sphere: -8 }, { sphere: -1 }, { kind: 'differ', what: 'spheres' }],
    ['sphere', { sphere: 1.3 }, {}, { kind: 'offStep', step: 0.25 }],
    ['axis', { cylinder: -0.5 }, {}, { kind: 'axisMissing' }],
    ['axis', { cylinder: 0 }, {}, null],
    ['axis', { cylinder: -0.5, axis: 45 }, {}, null],
    ['axis', { axis: 45 }, {}, { kind: 'axisAlone' }],
    ['prism_base', { prism: 2 }, {}, { kind: 'baseMissing' }],
    ['prism_base', { prism_base: 90 }, {}, { kind: 'baseAlone' }],
    ['prism_base', { prism: 2, prism_base: 90 }, {}, null],
    ['add', { add: 6 }, {}, { kind: 'unusual', min: 0.5, max: 3.5 }],
    ['add', {}, {}, null],
  ] as const)('on %s of %j beside %j', (measurement, own, other, note) => {
    expect(noteOn(measurement, own, other, 'decimal')).toEqual(note)
  })

  it('on a visual acuity depends on the unit that the service expects', () => {
    expect(noteOn('va', { va: -0.2 }, {}, 'logMAR')).toBeNull()
    expect(noteOn('va', { va: 1.7 }, {}, 'logMAR')).toEqual({ kind: 'unusual', min: -0.3, max: 1.6 })
    expect(noteOn('va', { va: 1.7 }, {}, 'decimal')).toBeNull()
  })
})
