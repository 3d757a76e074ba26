import type { Settings, ShownSettings } from '../../../../src-shared/settings.ts'
import { SHIPPED_PROFILES } from '../../../../src-shared/shipped-profiles.ts'
import { hostOf, isProgramWord, type Cover } from './cover.ts'

const SHIPPED = new Set(['auto', ...SHIPPED_PROFILES.map(({ profile }) => profile.id)])

/** The settings without secrets and without words that a person wrote; addresses by their host, folders by a mark. */
export function settingsTold(
  settings: Settings,
  shown: Pick<ShownSettings, 'managed' | 'service'>,
  cover: Cover,
): Readonly<Record<string, unknown>> {
  const profileOf = (id: string): string => (SHIPPED.has(id) ? id : `own ${cover.mark(id)}`)
  const { service, patientList, reports } = settings
  return {
    managed: shown.managed,
    setup: settings.setup,
    service: service
      ? {
          host: hostOf(service.baseUrl),
          hasClientId: service.clientId !== '',
          hasClientSecret: shown.service?.hasClientSecret ?? false,
          callbackHost: service.callbackUrl === null ? null : hostOf(service.callbackUrl),
          referenceField: service.referenceField,
        }
      : null,
    center: settings.centerId === null ? null : cover.mark(settings.centerId),
    folders: settings.folders.map(({ path, profile, ...rest }) => ({
      path: cover.path(path),
      profile: profileOf(profile),
      ...plain(rest),
    })),
    ownProfiles: settings.profiles.map(({ id, patterns }) => ({
      id: profileOf(id),
      patterns: patterns.length,
    })),
    requiredFields: settings.requiredFields,
    requireBothEyes: settings.requireBothEyes,
    patientList: patientList && {
      path: cover.path(patientList.path),
      dateOrder: patientList.dateOrder,
      namedColumns: Object.keys(patientList.columns).length,
    },
    delivery: plain(settings.delivery),
    reports: {
      checkSeconds: reports.checkSeconds,
      saveTo: reports.saveTo === null ? null : cover.path(reports.saveTo),
    },
    storage: plain(settings.storage),
    clinical: plain(settings.clinical),
    notifications: plain({ ...settings.notifications, quiet: settings.notifications.quiet !== null }),
    screens: plain(settings.screens),
    desktop: plain(settings.desktop),
    updates: {
      feedHost: settings.updates.feed === null ? null : hostOf(settings.updates.feed),
      install: settings.updates.install,
    },
  }
}

/** Numbers, choices and days; a setting that takes words of its own is covered until somebody decides about it here. */
function plain(section: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(section).map(([name, value]) => [
      name,
      typeof value === 'string' && !isProgramWord(value) && !/^\d{4}-\d\d-\d\d$/.test(value)
        ? 'left out'
        : value,
    ]),
  )
}
