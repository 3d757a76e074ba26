import type { Settings, ShownSettings } from '../../../../src-shared/settings.ts'
import { SHIPPED_PROFILES } from '../../../../src-shared/shipped-profiles.ts'
import { hostOfAddress, isProgramTerm, type Redactor } from './cover.ts'

const SHIPPED_PROFILE_IDS = new Set(['auto', ...SHIPPED_PROFILES.map(({ profile }) => profile.id)])

/** The settings without secrets and without words that a person wrote; addresses by their host, folders by a mark. */
export function redactSettings(
  settings: Settings,
  shown: Pick<ShownSettings, 'managed' | 'service'>,
  redactor: Redactor,
): Readonly<Record<string, unknown>> {
  const profileOf = (id: string): string =>
    SHIPPED_PROFILE_IDS.has(id) ? id : `own ${redactor.pseudonym(id)}`
  const { service, patientList, reports } = settings
  return {
    managed: shown.managed,
    setup: settings.setup,
    service: service
      ? {
          host: hostOfAddress(service.baseUrl),
          hasClientId: service.clientId !== '',
          hasClientSecret: shown.service?.hasClientSecret ?? false,
          callbackHost: service.callbackUrl === null ? null : hostOfAddress(service.callbackUrl),
          referenceField: service.referenceField,
        }
      : null,
    center: settings.centerId === null ? null : redactor.pseudonym(settings.centerId),
    folders: settings.folders.map(({ path, profile, ...rest }) => ({
      path: redactor.path(path),
      profile: profileOf(profile),
      ...plainValues(rest),
    })),
    ownProfiles: settings.profiles.map(({ id, patterns }) => ({
      id: profileOf(id),
      patterns: patterns.length,
    })),
    requiredFields: settings.requiredFields,
    requireBothEyes: settings.requireBothEyes,
    patientList: patientList && {
      path: redactor.path(patientList.path),
      dateOrder: patientList.dateOrder,
      namedColumns: Object.keys(patientList.columns).length,
    },
    delivery: plainValues(settings.delivery),
    reports: {
      checkSeconds: reports.checkSeconds,
      saveTo: reports.saveTo === null ? null : redactor.path(reports.saveTo),
    },
    storage: plainValues(settings.storage),
    clinical: plainValues(settings.clinical),
    notifications: plainValues({ ...settings.notifications, quiet: settings.notifications.quiet !== null }),
    screens: plainValues(settings.screens),
    desktop: plainValues(settings.desktop),
    updates: {
      feedHost: settings.updates.feed === null ? null : hostOfAddress(settings.updates.feed),
      install: settings.updates.install,
    },
  }
}

/** Numbers, choices and days; a setting that takes words of its own is covered until somebody decides about it here. */
function plainValues(section: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(section).map(([name, value]) => [
      name,
      typeof value === 'string' && !isProgramTerm(value) && !/^\d{4}-\d\d-\d\d$/.test(value)
        ? 'left out'
        : value,
    ]),
  )
}
