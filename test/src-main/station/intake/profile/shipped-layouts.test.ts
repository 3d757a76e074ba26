/** The shipped profiles on the examples that they name and on all that the synthetic cameras write. */
import { describe, expect, it } from 'vitest'
import { ignoredTermOf, readByProfile } from '../../../../../src-main/station/intake/profile/profile.ts'
import { type Profile, profileById, SHIPPED_PROFILES } from '../../../../../src-shared/profile.ts'
import { ALL_LAYOUTS, type LayoutName } from '../../../../camera/layouts/all-layouts.ts'
import { layoutVisit } from '../../../../camera/layouts/layout.ts'

/** The path, then history number, names, visit date, time, eye, view; `-` for nothing. */
const READ: Readonly<Record<string, readonly string[]>> = {
  retcam: ['105-10-0001-2 - - 2026-06-02 12:18:02 right -', '105-10-0001-2 - - 2026-06-02 12:18:15 left -'],
  'unique-names': ['105-10-0001-2 - - - - - -', '105-10-0001-2 - - - - - -', '105-10-0001-2 - - - - - -'],
  'remidio-fop': [
    '10000001 Lopez Ana 2025-02-14 15:00:05 - -',
    '10000001 - Ana 2025-04-03 11:59:00 - -',
    'left alone because of REPORTS',
  ],
  'topcon-dicom': ['nothing', 'nothing'],
  eidon: [
    'HC-004512 - - - - right visible',
    'HC-004512 - - - - left visible',
    'HC-004512 - - - - right infrared',
  ],
  'eidon-photos': [
    'HC-004512 - - - - right visible',
    'HC-004512 - - - - left visible',
    'left alone because of infrared',
    'left alone because of 11-visible',
  ],
  'optomed-dicom': ['HC-004512 - - - - - -'],
  'dicom-media': ['nothing', 'nothing'],
  'topcon-trc': ['38557 - - 2026-06-02 - - -'],
  'camera-back': ['E0000043 - - - - - -', 'E0000043 - - - - - -', 'E0000043 - - - - - -'],
  'patient-eye-view': ['347 - - - - left -', '347 - - - - right -', 'HC-004512 - - - - right -'],
  'phelcom-eyer': [
    '004512 LOPEZ GARCIA ANA 2026-06-02 10:15:02 left Color',
    '004512 OS LOPEZ ANA 2026-06-02 10:15:02 right Color',
    '004513 NÚÑEZ DE OD JOSÉ 2026-06-02 10:15:02 left RedFree',
  ],
  'flat-with-manifest': ['004512 - - - - right -', '004512 - - - - left -', 'HC-004512 - - - - right -'],
}

function told(profile: Profile, path: string): string {
  const word = ignoredTermOf(profile, path)
  if (word !== null) return `left alone because of ${word}`
  const reading = readByProfile(profile, path)
  if (reading === null) return 'nothing'
  expect(reading.unclear).toEqual([])
  const { historyNumber, lastName, firstName, visitDate, time, eye, view } = reading
  const stated = [historyNumber, lastName, firstName, visitDate].map((value) => value?.value ?? '-')
  return [...stated, time ?? '-', eye?.value ?? '-', view ?? '-'].join(' ')
}

describe('each shipped profile reads its examples', () => {
  it.each(SHIPPED_PROFILES.map((shipped) => [shipped.profile.id, shipped] as const))(
    '%s',
    (id, { profile, examples }) => {
      expect(examples.map((path) => told(profile, path))).toEqual(READ[id])
    },
  )
})

/** What a name can tell in each layout. Where no word tells an eye, no profile does. */
const OF_LAYOUT: Partial<
  Record<LayoutName, { readonly profile: string; readonly tells: readonly string[] }>
> = {
  '1': { profile: 'retcam', tells: ['historyNumber', 'visitDate', 'eye'] },
  '2': { profile: 'unique-names', tells: ['historyNumber'] },
  '3': { profile: 'remidio-fop', tells: ['historyNumber', 'lastName', 'firstName', 'visitDate'] },
  '5': { profile: 'eidon', tells: ['historyNumber', 'eye'] },
  '6': { profile: 'optomed-dicom', tells: ['historyNumber'] },
  '8': { profile: 'topcon-trc', tells: ['historyNumber', 'visitDate'] },
  '9': { profile: 'camera-back', tells: ['historyNumber'] },
  '10': { profile: 'patient-eye-view', tells: ['historyNumber', 'eye'] },
  '11': { profile: 'phelcom-eyer', tells: ['historyNumber', 'lastName', 'firstName', 'visitDate', 'eye'] },
  '12': { profile: 'flat-with-manifest', tells: ['historyNumber', 'eye'] },
}

describe('each shipped profile reads what a camera of its layout writes', () => {
  const visits = [512, 513].map((number) => layoutVisit({ number, visitDate: '2026-03-04' }))
  it.each(Object.entries(OF_LAYOUT))('layout %s', (layout, { profile: id, tells }) => {
    const profile = profileById(id, [])
    if (profile === null) throw new Error(`no profile ${id}`)
    const images = ALL_LAYOUTS[layout as LayoutName](visits).filter(({ kind }) => kind.endsWith('mage'))
    const readings = images.map(({ relativePath }) => readByProfile(profile, relativePath))
    expect(readings.length).toBeGreaterThan(1)
    for (const reading of readings) {
      const stated = Object.entries(reading ?? {}).filter(([, value]) => value !== null)
      const parts = ['historyNumber', 'lastName', 'firstName', 'visitDate', 'eye']
      expect(stated.map(([name]) => name).filter((name) => parts.includes(name))).toEqual(tells)
      if (tells.includes('visitDate')) expect(reading?.visitDate?.value).toBe('2026-03-04')
      expect(reading?.unclear).toEqual([])
    }
    const numbers = new Set(readings.map((reading) => reading?.historyNumber?.value))
    expect(numbers.size).toBe(2)
  })
})
