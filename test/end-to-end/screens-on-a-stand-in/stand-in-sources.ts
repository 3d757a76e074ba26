import type { SettingsSources, ShownSettings } from '../../../src-shared/settings.ts'

/** A station that a policy and a person have set, each in part. */
export function standInSources(settings: ShownSettings): SettingsSources {
  const locked = (section: string): boolean => settings.managed[section] === 'enforced'
  return {
    items: [
      {
        name: 'service.baseUrl',
        value: settings.service?.baseUrl ?? null,
        source: 'enrolment',
        isLocked: locked('service'),
      },
      {
        name: 'service.clientSecret',
        value: settings.service?.hasClientSecret ?? false,
        source: 'enrolment',
        isLocked: false,
      },
      { name: 'centerId', value: settings.centerId, source: 'person', isLocked: locked('centerId') },
      { name: 'requireBothEyes', value: settings.requireBothEyes, source: 'policyEnforced', isLocked: true },
      {
        name: 'delivery.concurrency',
        value: settings.delivery.concurrency,
        source: 'policyDefault',
        isLocked: false,
      },
      {
        name: 'delivery.retryBaseSeconds',
        value: settings.delivery.retryBaseSeconds,
        source: 'builtIn',
        isLocked: false,
      },
      { name: 'dataFolder', value: '/srv/fundus-courier', source: 'commandLine', isLocked: true },
    ],
    files: [
      {
        kind: 'policy',
        path: '/etc/fundus-courier/policy.json',
        state: 'broken',
        inForce: 'lastKnown',
        detail: 'enforced.delivery.concurrency: Too big: expected number to be <=8',
        unknownNames: ['defaults.centreId'],
      },
      {
        kind: 'enrolment',
        path: '/etc/fundus-courier/enrolment.json',
        state: 'left',
        inForce: 'this',
        detail: null,
        unknownNames: [],
      },
    ],
    secretsKept: 'privateFile',
  }
}
