/** The calls about profiles: what is offered, marking a path, confirming an offer, and ending a confirmation. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import type { ConfirmedProfile } from '../../../src-shared/confirmed-profile.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import { type FolderSettings, MOST_PROFILES } from '../../../src-shared/folder-settings.ts'
import type { CaseName } from '../../../src-shared/profile-offers.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { serially } from '../lib/schedule.ts'
import { auditDecision, stampNow } from './decision.ts'

export function profileCalls(parts: StationParts) {
  // Each changes the whole list of folders.
  const inTurn = serially()
  return {
    'profiles.offers': async ({ path }) => {
      const folder = folderAt(parts, path)
      if (folder === null) return notWatched()
      const offers = await parts.cases.names.previewsOf(folder)
      return succeed({ offers, profiles: parts.cases.names.heldBy(folder) })
    },
    'profiles.draft': async ({ path, file, marks }) => {
      const folder = folderAt(parts, path)
      return folder === null
        ? notWatched()
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

function notWatched(): Result<never> {
  return refuse('notFound', 'call:folder.notWatched')
}

/** Learns again: what is confirmed is what was shown, or nothing. */
async function confirmOffer(parts: StationParts, { path, key, by }: ParsedInput<'profiles.confirm'>) {
  const folder = folderAt(parts, path)
  if (folder === null) return notWatched()
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
  const { unsent } = parts.outbox.casesRestingOn({ folderPath: path, profileId: profile.id })
  return succeed({ profile, approvable: unsent.filter((one) => isApprovable(parts, one)) })
}

function isApprovable({ outbox }: StationParts, { id }: CaseName): boolean {
  return outbox.rowOf(id)?.state === 'review' && outbox.mayBeApprovedTogether(id)
}

/** Draws the draft again: what is stored is what was shown, or nothing. */
async function mark(parts: StationParts, { path, file, marks, key, by }: ParsedInput<'profiles.mark'>) {
  const folder = folderAt(parts, path)
  if (folder === null) return notWatched()
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
  if (folder === null) return notWatched()
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
