import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createPrivacy,
  maskFileName,
  maskName,
  maskNameIn,
  maskRaw,
  nameVisibility,
  nextCheckMs,
  type Presence,
} from '../../../src-renderer/privacy/names.tsx'
import { browserOf } from '../speak.ts'
import { MINUTE } from '../../../src-shared/durations.ts'

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

const here: Presence = { wish: 'show', lastInputAt: 1_000, hideAfterMs: 5 * MINUTE }

it.each<[string, Partial<Presence>, number, ReturnType<typeof nameVisibility>, number | null]>([
  ['just touched', {}, 0, 'shown', 5 * MINUTE],
  ['nearly', {}, 5 * MINUTE - 1, 'shown', 1],
  ['long enough', {}, 5 * MINUTE, 'hiddenWhileIdle', null],
  ['a clock set back', {}, -60 * MINUTE, 'shown', 5 * MINUTE],
  ['never automatically', { hideAfterMs: null }, 60 * MINUTE, 'shown', null],
  ['by hand, anyone who is there', { wish: 'hide' }, 0, 'hiddenByHand', null],
  ['by hand, and no one there', { wish: 'hide' }, 9 * MINUTE, 'hiddenByHand', null],
])('names, %s', (_what, changes, after, shown, next) => {
  const presence = { ...here, ...changes }
  expect(nameVisibility(presence, 1_000 + after)).toBe(shown)
  expect(nextCheckMs(presence, 1_000 + after)).toBe(next)
})

describe('the privacy of the window', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('hides names once no one was there for so long, and shows them with the next touch', () => {
    const privacy = createPrivacy()
    const seen: string[] = []
    privacy.onChange(() => seen.push(privacy.shown()))
    privacy.hideAfter(5 * MINUTE)
    vi.advanceTimersByTime(4 * MINUTE)
    privacy.touch()
    vi.advanceTimersByTime(4 * MINUTE)
    expect(privacy.shown()).toBe('shown')
    vi.advanceTimersByTime(MINUTE)
    expect(privacy.shown()).toBe('hiddenWhileIdle')
    vi.advanceTimersByTime(60 * MINUTE)
    privacy.touch()
    expect(seen).toEqual(['hiddenWhileIdle', 'shown'])
    vi.advanceTimersByTime(5 * MINUTE)
    expect(privacy.shown()).toBe('hiddenWhileIdle')
  })

  it('has one timer however often someone moves, and none where names are never hidden', () => {
    const privacy = createPrivacy()
    expect(vi.getTimerCount()).toBe(0)
    privacy.hideAfter(5 * MINUTE)
    for (let index = 0; index < 50; index += 1) {
      vi.advanceTimersByTime(1_000)
      privacy.touch()
    }
    expect(vi.getTimerCount()).toBe(1)
    privacy.hideAfter(null)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('hides them at once when someone wishes so, until someone wishes otherwise, over a reload', () => {
    const kept = browserOf([]).window.localStorage
    const privacy = createPrivacy(kept)
    privacy.hideAfter(MINUTE)
    privacy.wish('hide')
    privacy.touch()
    vi.advanceTimersByTime(5 * MINUTE)
    privacy.touch()
    expect(privacy.shown()).toBe('hiddenByHand')
    expect(createPrivacy(kept).shown()).toBe('hiddenByHand')
    privacy.wish('show')
    expect([privacy.shown(), createPrivacy(kept).shown()]).toEqual(['shown', 'shown'])
  })

  it('follows the setting: a shorter time counts from the last touch on', () => {
    const privacy = createPrivacy()
    privacy.hideAfter(60 * MINUTE)
    vi.advanceTimersByTime(10 * MINUTE)
    privacy.hideAfter(5 * MINUTE)
    expect(privacy.shown()).toBe('hiddenWhileIdle')
    privacy.hideAfter(null)
    expect(privacy.shown()).toBe('shown')
  })
})
