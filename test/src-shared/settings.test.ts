import { fc, runs } from '../tools/property.ts'
import { describe, expect, it } from 'vitest'
import {
  baseUrlSchema,
  deliverySettingsSchema,
  settingsChangesSchema,
  settingsSchema,
  shownSettingsSchema,
} from '../../src-shared/settings.ts'

describe('the settings', () => {
  it('never show a secret', () => {
    const stated = { baseUrl: 'https://a.example', clientId: 'clinic', clientSecret: 'a-secret' }
    const { service, ...others } = settingsSchema.parse({ service: stated })
    const shown = shownSettingsSchema.parse({
      ...others,
      service: { ...service, hasClientSecret: true },
      managed: {},
    })
    expect(JSON.stringify(shown)).not.toContain('a-secret')
  })

  it('change by whole sections, and leave out what is not named', () => {
    expect(settingsChangesSchema.parse({ centerId: null })).toEqual({ centerId: null })
    expect(settingsChangesSchema.parse({ delivery: { concurrency: 3 } }).delivery).toEqual(
      deliverySettingsSchema.parse({ concurrency: 3 }),
    )
  })

  it.each([
    { delivery: { concurrency: 0 } },
    { delivery: { concurrency: 9 } },
    { delivery: { lookSeconds: [] } },
    { delivery: { lookSeconds: [0] } },
    { requiredFields: ['patient'] },
    { reports: { checkSeconds: 0 } },
    { folders: [{ path: '' }] },
    { folders: [{ path: '/a', existing: 'perhaps' }] },
    { service: { baseUrl: 'https://service.example', clientId: '' } },
    { service: { baseUrl: 'https://service.example', clientId: 'a', referenceField: 'history_number' } },
  ])('refuse %j', (wrong) => {
    expect(settingsSchema.safeParse(wrong).success).toBe(false)
  })
})

describe('the address of the service', () => {
  const ALLOWED = `https://service.example https://service.example/ https://service.example:8443/api/v2
    HTTPS://service.example/index.php https://[2001:db8::1]/api http://127.0.0.1:8080/api http://localhost:3000
    http://[::1]:8080/`.split(/\s+/)
  const REFUSED = `http://service.example http://127.0.0.1.attacker.example/ http://localhost.attacker.example
    http://127.0.0.2:80 http://user@localhost/ https://user:secret@service.example
    https://service.example/api?key=1 https://service.example/#part https:// https:///api https://:443
    ftp://service.example service.example https://service.example:99999 https://a:b:c https://[half
    https://service.example:x`.split(/\s+/)

  it.each(ALLOWED)('may be %s, and its path is kept', (address) => {
    expect(baseUrlSchema.parse(address)).toBe(address)
  })

  it.each([...REFUSED, 'https://service.example/a path', ' https://service.example', ''])(
    'is never %j',
    (address) => {
      expect(baseUrlSchema.safeParse(address).success).toBe(false)
    },
  )

  it('is never one that no client can ask, whatever was typed', () => {
    const typed = fc.string({
      unit: fc.constantFrom(...'https:/[]@?#%<>^|\\".-_ 019aZñ'.split('')),
      maxLength: 20,
    })
    fc.assert(
      fc.property(typed, (text) => {
        const address = `https://${text}`
        expect(!baseUrlSchema.safeParse(address).success || URL.canParse(address), address).toBe(true)
      }),
      { numRuns: runs(5_000) },
    )
  })
})
