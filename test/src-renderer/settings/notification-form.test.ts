import { describe, expect, it } from 'vitest'
import { notificationFormOf, readNotificationForm } from '../../../src-renderer/settings/notifications.tsx'
import { notificationSettingsSchema } from '../../../src-shared/desktop-settings.ts'

describe('the form of the notices', () => {
  it.each([
    [{}],
    [{ needsPerson: 'off', reports: 'urgent' }],
    [{ sendingStopped: 'off', urgentInQuiet: 'off' }],
    [{ folderUnreachable: 'off', reports: 'off', quiet: { from: '22:30', to: '06:00' } }],
  ])('gives back %o as it was', (changes) => {
    const settings = notificationSettingsSchema.parse(changes)
    expect(readNotificationForm(notificationFormOf(settings))).toEqual(settings)
  })

  it('offers hours where there were none, and takes them only where they are used', () => {
    const form = notificationFormOf(notificationSettingsSchema.parse({}))
    expect(form).toMatchObject({ isQuiet: false, from: '19:00', to: '07:00' })
    expect(readNotificationForm({ ...form, isQuiet: true })?.quiet).toEqual({ from: '19:00', to: '07:00' })
  })

  it.each([
    ['08:00', '08:00'],
    ['', '07:00'],
    ['24:00', '07:00'],
    ['7:00', '08:00'],
  ])('cannot be quiet from %o to %o', (from, to) => {
    const form = notificationFormOf(notificationSettingsSchema.parse({}))
    expect(readNotificationForm({ ...form, isQuiet: true, from, to })).toBeNull()
    expect(readNotificationForm({ ...form, isQuiet: false, from, to })).not.toBeNull()
  })
})
