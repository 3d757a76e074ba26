/** Confirmed profiles on their way through the settings: stored here, in a configuration file, in a policy. */
import { describe, expect, it } from 'vitest'
import { confirm, provesFile } from '../../../../src-main/station/cases/profiles/strict.ts'
import { mergeSettings } from '../../../../src-main/station/settings/layers.ts'
import { parseConfig, parsePolicy } from '../../../../src-main/station/settings/managed-files.ts'
import { type ConfirmedProfile, confirmedProfileSchema } from '../../../../src-shared/confirmed-profile.ts'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'

const NOW = Date.UTC(2026, 5, 2, 10)

const PROFILE = confirm(
  confirmedProfileSchema.parse({
    id: 'names-1',
    parts: [
      { kind: 'id', formats: [{ shape: '999999' }] },
      { kind: 'text', text: '_' },
      { kind: 'eye', right: ['OD'], left: ['OS'] },
    ],
    extensions: ['jpeg'],
  }),
  { by: 'AB', now: NOW, station: 'station-1' },
)

function withProfiles(...confirmedProfiles: unknown[]): unknown {
  return { folders: [{ path: '/exports', confirmedProfiles }] }
}

const inForce = (file: unknown) =>
  mergeSettings({ policy: null, config: parseConfig(file), held: {}, enrolled: [] })

function isProven([profile]: readonly ConfirmedProfile[]): boolean {
  return profile !== undefined && provesFile(profile, NOW + 1)
}

describe('a confirmed profile', () => {
  it('is in force from a configuration file, with who, when and where', () => {
    expect(parseConfig(withProfiles(PROFILE)).unknownNames).toEqual([])
    const merged = inForce(withProfiles(PROFILE))
    expect(isProven(merged.settings.folders[0]?.confirmedProfiles ?? [])).toBe(true)
    expect(merged.sources()).toContainEqual({
      name: 'folders.0.confirmedProfiles.0',
      value: 'names-1 (AB, 2026-06-02T10:00:00.000Z)',
      source: 'configurationFile',
      isLocked: false,
    })
  })

  it('is in force from a policy, whose folders replace those of the station', () => {
    const held = { folders: [folderSettingsSchema.parse({ path: '/exports' })] }
    const policy = parsePolicy({
      folders: [{ path: '/exports', confirmedProfiles: [PROFILE] }],
      enforced: ['folders'],
    })
    const { settings } = mergeSettings({ policy, config: null, held, enrolled: [] })
    expect(isProven(settings.folders[0]?.confirmedProfiles ?? [])).toBe(true)
  })

  it('stays in the settings and proves nothing if it was changed by hand', () => {
    const changed = { ...PROFILE, extensions: ['jpeg', 'png'] }
    const { settings } = inForce(withProfiles(changed))
    expect(settings.folders[0]?.confirmedProfiles).toHaveLength(1)
    expect(isProven(settings.folders[0]?.confirmedProfiles ?? [])).toBe(false)
  })

  it('proves nothing without a confirmation', () => {
    const { confirmed: _confirmed, ...unconfirmed } = PROFILE
    const { settings } = inForce(withProfiles(unconfirmed))
    expect(isProven(settings.folders[0]?.confirmedProfiles ?? [])).toBe(false)
  })

  it('names what it does not know', () => {
    expect(parseConfig(withProfiles({ ...PROFILE, pattern: 'x' })).unknownNames).toEqual([
      'folders.0.confirmedProfiles.0.pattern',
    ])
  })

  it.each<[what: string, profiles: unknown[]]>([
    ['two of one id', [PROFILE, PROFILE]],
    ['a part of an unknown kind', [{ ...PROFILE, parts: [...PROFILE.parts, { kind: 'any' }] }]],
    ['an instant that is none', [{ ...PROFILE, confirmed: { ...PROFILE.confirmed, at: 'yesterday' } }]],
  ])('is refused: %s', (_, profiles) => {
    expect(() => parseConfig(withProfiles(...profiles))).toThrow()
  })

  it('is none by default', () => {
    expect(folderSettingsSchema.parse({ path: '/exports' }).confirmedProfiles).toEqual([])
  })
})
