/** The calls for settings: reading and changing them, their sources, and the managed files. */
import type { UpdateState } from '../../../src-shared/desktop.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import type {
  SettingInForce,
  Settings,
  SettingsChanges,
  SettingsSources,
} from '../../../src-shared/settings.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import type { ExistingDecision } from '../cases/folders/watched-folders.ts'
import type { AuditDetails } from '../outbox/database.ts'
import { auditDecision, type Decision, stampNow } from './decision.ts'

/** Every effective value with its source, and the files that administrators provide for the station. */
export async function settingsSources(
  parts: Pick<StationParts, 'settings' | 'ports' | 'dataFolder' | 'managedFiles' | 'commandLine'>,
): Promise<SettingsSources> {
  const { settings, ports, dataFolder, managedFiles, commandLine } = parts
  const stated = Object.entries({ dataFolder, ...commandLine }).map(([name, value]): SettingInForce => {
    const source = Object.hasOwn(commandLine, name) ? 'commandLine' : 'builtIn'
    return { name, value, source, isLocked: true }
  })
  const secretsKept = await ports.secrets.storedIn()
  const secret = await settings.secretSource()
  return {
    items: [
      ...settings.sources(),
      {
        name: 'service.clientSecret',
        value: secret !== null,
        source: secretsKept === 'environment' ? 'environment' : (secret?.source ?? 'builtIn'),
        isLocked: secretsKept === 'environment' || (secret?.isLocked ?? false),
      },
      ...stated,
    ],
    files: [...managedFiles],
    secretsKept,
  }
}

export function stationCalls(parts: StationParts) {
  const { settings, ports } = parts
  const audit = (what: string, decision: Decision, facts: AuditDetails = {}): void =>
    auditDecision(parts, null, what, stampNow(parts, decision), facts)
  return {
    'station.status': () => Promise.resolve(succeed(parts.status())),
    'station.pause': ({ seconds, ...decision }) => {
      audit('paused', decision, { seconds })
      parts.setPause(seconds === null ? 'untilResumed' : ports.clock.now() + seconds * SECOND)
      return Promise.resolve(succeed(parts.status()))
    },
    'station.resume': (decision) => {
      audit('resumed', decision)
      parts.setPause(null)
      parts.delivery()?.retryNow()
      return Promise.resolve(succeed(parts.status()))
    },
    'station.startNormally': async (decision) => {
      if (isInSafeMode(parts.status())) {
        audit('startedNormally', decision)
        await parts.startNormally()
      }
      return succeed(parts.status())
    },
    'station.stop': () => {
      parts.requestStop()
      return Promise.resolve(succeed({}))
    },
    'settings.get': async () => succeed(await settings.shown()),
    'settings.sources': async () => succeed(await settingsSources(parts)),
    'settings.update': async ({ by, why, ...wanted }) => {
      const changes = { ...wanted, ...foldersWithOwnProfiles(settings.current(), wanted) }
      const updated = await settings.update(changes)
      if (!updated.ok) return updated
      const sections = Object.keys(changes)
      audit('settingsChanged', { by, why }, { sections })
      parts.cases.recheckUnits()
      await parts.applySettings(sections)
      return succeed(await settings.shown())
    },
    'folders.tryProfile': (input) => parts.cases.tryProfile(input),
    'folders.decideExisting': async (input) => {
      const decision: ExistingDecision =
        input.existing === 'since' ? { kind: 'since', since: input.since } : { kind: input.existing }
      if (!(await parts.cases.decideExisting(input.path, decision))) return notWatchedFailure()
      audit('existingDecided', input, { existing: input.existing })
      return succeed({})
    },
    'folders.leftAside': (page) => Promise.resolve(succeed(parts.cases.leftAside(page))),
    'folders.countExisting': ({ path, since }) => {
      const counted = parts.cases.countExisting(path, since)
      return Promise.resolve(counted === null ? notWatchedFailure() : succeed(counted))
    },
  } satisfies Partial<CallHandlers>
}

/** Only confirming and revoking change profiles: a form opened earlier would bring back what was revoked since. */
function foldersWithOwnProfiles(
  { folders: before }: Pick<Settings, 'folders'>,
  { folders }: SettingsChanges,
): Pick<SettingsChanges, 'folders'> {
  if (folders === undefined) return {}
  return {
    folders: folders.map((folder) => {
      const own = before.find(({ path }) => path === folder.path)?.confirmedProfiles
      const unconfirmed = folder.confirmedProfiles.map((profile) => ({ ...profile, confirmed: null }))
      return { ...folder, confirmedProfiles: own ?? unconfirmed }
    }),
  }
}

function isInSafeMode({ mode }: StationStatus): boolean {
  return mode.kind === 'paused' && mode.why === 'safeMode'
}

function notWatchedFailure(): Result<never> {
  return refuse('notFound', 'call:folder.notWatched')
}

const MANAGED_BY_OTHERS: UpdateState = { kind: 'off', why: 'headless' }

export function updateCalls({ ports }: Pick<StationParts, 'ports'>) {
  const { updates } = ports
  const state = () => succeed(updates?.state() ?? MANAGED_BY_OTHERS)
  return {
    'updates.get': () => Promise.resolve(state()),
    'updates.look': async () => {
      await updates?.check()
      return state()
    },
    'updates.install': () => {
      updates?.install()
      return Promise.resolve(state())
    },
    'updates.holdOff': ({ seconds }) => {
      updates?.postpone(seconds)
      return Promise.resolve(succeed({}))
    },
  } satisfies Partial<CallHandlers>
}
