import { describe, expect, it } from 'vitest'
import { profileById, profileSchema, SHIPPED_PROFILES } from '../../src-shared/profile.ts'

describe('the shipped profiles', () => {
  it('have ids of their own, examples, and what the schema asks for', () => {
    const ids = SHIPPED_PROFILES.map(({ profile }) => profile.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('auto')
    for (const { profile, examples } of SHIPPED_PROFILES) {
      expect(profileSchema.parse(profile)).toEqual(profile)
      expect(examples.length).toBeGreaterThan(0)
    }
  })

  it('are found by id, behind those of the clinic', () => {
    const own = profileSchema.parse({ id: 'eidon', title: 'Ours' })
    expect(profileById('eidon', [])?.title).toMatch('EIDON')
    expect(profileById('eidon', [own])).toBe(own)
    expect(profileById('auto', [{ ...own, id: 'auto' }])).toBeNull()
    expect(profileById('none', [own])).toBeNull()
  })
})
