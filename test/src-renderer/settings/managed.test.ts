import { describe, expect, it } from 'vitest'
import {
  type Managed,
  managedAs,
  mayChange,
  permittedChanges,
} from '../../../src-renderer/settings/settings-form.tsx'
import { settingsSchema } from '../../../src-shared/settings.ts'

const LOCKED: Managed = { service: 'enforced', delivery: 'enforced', reports: 'preset' }

describe('settings that an administrator states', () => {
  it.each([
    [['delivery'], 'enforced'],
    [['reports'], 'preset'],
    [['storage'], null],
    [['delivery', 'reports'], 'preset'],
    [['delivery', 'storage'], 'preset'],
    [['service', 'delivery'], 'enforced'],
  ] as const)('%o are managed as %s', (parts, as) => {
    expect(managedAs(LOCKED, parts)).toBe(as)
  })

  it('may be changed unless they are enforced, and the service as long as its secret is open', () => {
    expect(mayChange(LOCKED, 'reports')).toBe(true)
    expect(mayChange(LOCKED, 'delivery')).toBe(false)
    expect(mayChange(LOCKED, 'service')).toBe(true)
    expect(mayChange({ ...LOCKED, 'service.clientSecret': 'enforced' }, 'service')).toBe(false)
  })

  it('are left out of a change where they are enforced, so that the rest is taken', () => {
    const { delivery, reports } = settingsSchema.parse({})
    expect(permittedChanges({ delivery, reports }, LOCKED)).toEqual({ reports })
    expect(permittedChanges({ delivery }, LOCKED)).toEqual({})
  })
})
