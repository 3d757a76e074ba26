/** The calls for the station's settings, with their sources, its folders, the names confirmed for them, updates and windows. */
import type { ConfirmedProfile } from '../../../src-shared/confirmed-profile.ts'
import type { ParsedInput } from '../../../src-shared/contract.ts'
import type { OpenWindow, UpdateState } from '../../../src-shared/desktop.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import { type FolderSettings, MOST_PROFILES } from '../../../src-shared/folder-settings.ts'
import type { Settings, SettingsChanges } from '../../../src-shared/settings.ts'
import type { SettingInForce, SettingsSources } from '../../../src-shared/setting-sources.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import type { ExistingDecision } from '../cases/folders/watched-folders.ts'
import { serially } from '../lib/schedule.ts'
import type { AuditDetails } from '../outbox/database.ts'
import { auditDecision, type Decision, stampNow } from './decisions.ts'

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
      if (!(await parts.cases.folders.decideExisting(input.path, decision))) return notWatchedFailure()
      audit('existingDecided', input, { existing: input.existing })
      return succeed({})
    },
    'folders.leftAside': (page) => Promise.resolve(succeed(parts.cases.folders.leftAside(page))),
    'folders.tryAgain': ({ path, fileName, ...decision }) => {
      if (!parts.cases.folders.tryAgain(path, fileName))
        return Promise.resolve(refuse('notFound', 'call:folder.notSetAside'))
      audit('fileTriedAgain', decision)
      return Promise.resolve(succeed({}))
    },
    'folders.countExisting': ({ path, since }) => {
      const counted = parts.cases.folders.countExisting(path, since)
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

export function profileCalls(parts: StationParts) {
  // Each changes the whole list of folders.
  const inTurn = serially()
  return {
    'profiles.offers': async ({ path }) => {
      const folder = folderAt(parts, path)
      if (folder === null) return notWatchedFailure()
      const offers = await parts.cases.names.previewsOf(folder)
      return succeed({ offers, profiles: parts.cases.names.heldBy(folder) })
    },
    'profiles.draft': async ({ path, file, marks }) => {
      const folder = folderAt(parts, path)
      return folder === null
        ? notWatchedFailure()
        : succeed(await parts.cases.names.draftOf(folder, { file, marks }))
    },
    'profiles.mark': (input) => inTurn(() => mark(parts, input)),
    'profiles.confirm': (input) => inTurn(() => confirmOffer(parts, input)),
    'profiles.revoke': (input) => inTurn(() => revoke(parts, input)),
  } satisfies Partial<CallHandlers>
}

function folderAt({ settings }: StationParts, path: string): FolderSettings | null {
  return settings.current().folders.find((folder) => folder.path === path) ?? null
}

/** Learns again: what is confirmed is what was shown, or nothing. */
async function confirmOffer(parts: StationParts, { path, key, by }: ParsedInput<'profiles.confirm'>) {
  const folder = folderAt(parts, path)
  if (folder === null) return notWatchedFailure()
  const offer = (await parts.cases.names.of(folder)).find((one) => one.key === key)
  if (offer === undefined) return fail(failureOf('changed', worded('call:profile.changed')))
  if (offer.counterExamples.length > 0) return refuse('notAllowed', 'call:profile.contradicted')
  const stamp = stampNow(parts, { by })
  const confirmed = parts.cases.names.withConfirmed(folder, offer.profile, { by, at: stamp.at })
  if (confirmed === null) return refuse('notAllowed', 'call:profile.tooMany')
  const { profile, all } = confirmed
  const saved = await saveProfiles(parts, path, all)
  if (!saved.ok) return saved
  auditDecision(parts, null, 'profileConfirmed', stamp, {
    profile: profile.id,
    pattern: offer.pattern,
    visits: offer.evidence.visits,
  })
  await applyProfiles(parts)
  return succeed({ profile })
}

/** Draws the draft again: what is stored is what was shown, or nothing. */
async function mark(parts: StationParts, { path, file, marks, key, by }: ParsedInput<'profiles.mark'>) {
  const folder = folderAt(parts, path)
  if (folder === null) return notWatchedFailure()
  const offer = (await parts.cases.names.draftOf(folder, { file, marks })).shown?.offer
  if (offer?.key !== key) return fail(failureOf('changed', worded('call:profile.changed')))
  if (offer.counterExamples.length > 0) return refuse('notAllowed', 'call:profile.contradicted')
  const profile = { ...offer.profile, proposes: true }
  if (folder.confirmedProfiles.some(({ id, confirmed }) => id === profile.id && confirmed !== null))
    return refuse('notAllowed', 'call:marks.known')
  const others = folder.confirmedProfiles.filter(({ id }) => id !== profile.id)
  if (others.length >= MOST_PROFILES) return refuse('notAllowed', 'call:profile.tooMany')
  const saved = await saveProfiles(parts, path, [...others, profile])
  if (!saved.ok) return saved
  const facts = { profile: profile.id, pattern: offer.pattern }
  auditDecision(parts, null, 'profileMarked', stampNow(parts, { by }), facts)
  await applyProfiles(parts)
  return succeed({ profile })
}

/** First the outbox, in one commit: from then on nothing leaves by this profile, whatever the settings still say. */
async function revoke(parts: StationParts, { path, id, by, why }: ParsedInput<'profiles.revoke'>) {
  const { outbox, settings, ports, cases } = parts
  const folder = folderAt(parts, path)
  if (folder === null) return notWatchedFailure()
  const profile = folder.confirmedProfiles.find((one) => one.id === id)
  if (profile === undefined || !(profile.proposes || cases.names.isConfirmed(profile)))
    return refuse('notFound', 'call:profile.notConfirmed')
  if ((await settings.shown()).managed.folders === 'enforced')
    return fail(failureOf('notAllowed', worded('sending:settings.byAdministrator')))
  const at = ports.clock.now()
  const ended = outbox.endConfirmation({ folderPath: path, profileId: id }, { at, by, why })
  const left = folder.confirmedProfiles.flatMap((one) =>
    one.id !== id ? [one] : one.proposes ? [] : [{ ...one, confirmed: null }],
  )
  const saved = await saveProfiles(parts, path, left)
  if (!saved.ok) {
    cases.names.applySettings()
    return saved
  }
  await applyProfiles(parts)
  return succeed(ended)
}

async function saveProfiles(
  { settings }: StationParts,
  path: string,
  confirmedProfiles: ConfirmedProfile[],
): Promise<Result<null>> {
  const folders = settings
    .current()
    .folders.map((folder) => (folder.path === path ? { ...folder, confirmedProfiles } : folder))
  return settings.update({ folders })
}

/** The open cases are read again, so that the answer can say what became of them. */
async function applyProfiles(parts: StationParts): Promise<void> {
  parts.cases.names.applySettings()
  await parts.applySettings(['folders'])
  await parts.cases.refreshAll()
  await parts.cases.names.recheckNow()
}

/** Chromium may delay the timers of a hidden window by a minute. */
const LEASE_MS = 90 * SECOND

/**
 * The windows with the screens, so that two people see that they have one case open. It locks nothing: an approval compares
 * what was shown. A window is there for as long as it says so; one that is alone says it once and costs nothing more.
 */
export function windowCalls({ ports: { clock }, emitWindows }: Pick<StationParts, 'ports' | 'emitWindows'>) {
  const windows = new Map<string, { readonly shown: OpenWindow; readonly until: number }>()
  let cancelCheck: (() => void) | null = null

  /** True if any window has gone. */
  const dropGone = (): boolean => {
    const gone = [...windows].filter(([, { until }]) => until <= clock.monotonicMs())
    for (const [id] of gone) windows.delete(id)
    return gone.length > 0
  }
  const all = () => ({ windows: [...windows.values()].map(({ shown }) => shown) })
  const check = (): void => {
    if (dropGone()) emitWindows(all())
    planCheck()
  }
  const planCheck = (): void => {
    cancelCheck?.()
    // No one asks about a window that is alone.
    const next = Math.min(...[...windows.values()].map(({ until }) => until))
    cancelCheck = windows.size < 2 ? null : clock.after(next - clock.monotonicMs(), check)
  }
  return {
    'windows.show': (shown) => {
      const hasGone = dropGone()
      const before = windows.get(shown.windowId)?.shown
      windows.set(shown.windowId, { shown, until: clock.monotonicMs() + LEASE_MS })
      const isSame = before?.submissionId === shown.submissionId && before.by === shown.by
      if (hasGone || !isSame) emitWindows(all())
      planCheck()
      return Promise.resolve(succeed(all()))
    },
  } satisfies Partial<CallHandlers>
}
