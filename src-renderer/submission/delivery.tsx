/** The delivery of a case: transfer, attempts, answers and evidence. */
import { Anchor, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileCode, IconSquareX } from '@tabler/icons-react'
import { ActionButton, NotRead, SmallButton } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useCenters } from '../decisions/center-choice.tsx'
import type { Attempt, Evidence } from '../../src-shared/submission.ts'
import {
  AttemptEntry,
  isFullyUploaded,
  Stalled,
  TimelineEntry,
  TransferBar,
} from '../components/transfer.tsx'
import timelineCss from '../components/timeline.module.css'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { runAction } from '../queue/actions.ts'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { Block } from './field-input.tsx'
import { useCase } from './form.ts'

export function SendingPanel() {
  const session = useSession()
  const { details } = useCase()
  const progress = useStation((state) => state.progress[details.id])
  const isAllOut = isFullyUploaded(progress)
  const stalledSince = progress?.stalledSince ?? null
  return (
    <Block
      id="sending"
      tone="blue"
      title={t('state:sending.name')}
      explain={isAllOut ? t('submission:sending.through') : t('submission:sending.explain')}
    >
      <TransferBar progress={progress} />
      {stalledSince !== null && (
        <Stalled
          since={stalledSince}
          format={(time, forHow) => t('queue:stalled', { time, forHow })}
          className="bold amber"
        />
      )}
      <ActionButton
        mt={10}
        icon={IconSquareX}
        disabled={isAllOut}
        onClick={() => void runAction(session, 'cancel', [details])}
      >
        {t('queue:action.cancel.name')}
      </ActionButton>
    </Block>
  )
}

/** More than anyone reads; a hostile answer must not freeze the window. */
const MAX_LENGTH = 20_000

/** Shows the service's answer to an attempt as text, truncated if very long, and never interpreted as markup. */
function AnswerButton({ attempt: { id, number } }: { readonly attempt: Attempt }) {
  const [isShown, dialog] = useDisclosure(false)
  return (
    <>
      <SmallButton
        mt={4}
        icon={IconFileCode}
        aria-label={t('submission:attempts.answerOf', { number })}
        onClick={dialog.open}
      >
        {t('submission:attempts.answer')}
      </SmallButton>
      <Dialog
        opened={isShown}
        onClose={dialog.close}
        size="xl"
        title={t('submission:answer.title', { number })}
      >
        <AnswerText attemptId={id} />
      </Dialog>
    </>
  )
}

function AnswerText({ attemptId }: { readonly attemptId: string }) {
  const { value, failure } = useAnswer('submissions.answer', { attemptId })
  const { conceal } = useCase()
  if (value === null) return <NotRead failure={failure} label={t('shell:reading')} />
  const { answer } = value
  if (answer === null) return <p>{t('submission:answer.none')}</p>
  const { status, sizeBytes, text } = answer
  return (
    <Stack gap="sm">
      <p className="dim">{t('submission:answer.explain')}</p>
      <p className="tabular">
        <strong>{t('submission:answer.facts', { status, size: formatBytes(sizeBytes) })}</strong>
      </p>
      {text === '' ? (
        <p>{t('submission:answer.empty')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls takes the focus, or the keyboard cannot scroll it
        <pre className="verbatim" tabIndex={0} role="region" aria-label={t('submission:answer.text')}>
          {conceal(text.slice(0, MAX_LENGTH))}
        </pre>
      )}
      {text.length > MAX_LENGTH && (
        <p className="dim">{t('submission:answer.cut', { shown: formatCount(MAX_LENGTH) })}</p>
      )}
    </Stack>
  )
}

function AnsweredAttempt({ attempt }: { readonly attempt: Attempt }) {
  const { conceal } = useCase()
  return (
    <AttemptEntry attempt={attempt} conceal={conceal}>
      {attempt.hasAnswer && <AnswerButton attempt={attempt} />}
    </AttemptEntry>
  )
}

type EvidenceEntryProps = { readonly found: Evidence; readonly times: number }

function EvidenceEntry({ found, times }: EvidenceEntryProps) {
  const { at, kind, caseIds, by } = found
  const title = t(`submission:evidence.kinds.${kind}`)
  return (
    <TimelineEntry at={at} kind={kind} title={times === 1 ? title : `${title} \u00d7 ${times}`}>
      <p className="small dim breakable">
        {joinTexts(
          messageOf(found),
          caseIds.length > 0 && t('submission:evidence.cases', { ids: caseIds.join(', ') }),
          by !== null && t('submission:evidence.by', { initials: by }),
        )}
      </p>
    </TimelineEntry>
  )
}

const keyOf = ({ kind, message, caseIds, by }: Evidence): string => [kind, message, by, ...caseIds].join('\n')

/** Searches with one result are one entry, the latest. Pure. */
export function alikeOnce(evidence: readonly Evidence[]): readonly EvidenceEntryProps[] {
  return [...Map.groupBy(evidence, keyOf).values()].flatMap((alike) => {
    const [found] = alike.toSorted((one, other) => other.at - one.at)
    return found ? [{ found, times: alike.length }] : []
  })
}

/** An entry without more than a line, if it has happened. */
function moment(at: number | null, title: string, text: string | null) {
  if (at === null) return []
  const entry = (
    <TimelineEntry key={title} at={at} title={title}>
      {text !== null && <p className="small dim breakable">{text}</p>}
    </TimelineEntry>
  )
  return [{ at, entry }]
}

/** What has happened to the case, the latest first. */
export function History() {
  const { details } = useCase()
  const { id, addedAt, centerId, caseId, sentAt, confirmedAt, hasReport } = details
  const { nameOf } = useCenters()
  const entries = [
    ...moment(addedAt, t('queue:columns.added'), nameOf(centerId)),
    ...details.attemptList.map((attempt) => ({
      at: attempt.startedAt,
      entry: <AnsweredAttempt key={attempt.id} attempt={attempt} />,
    })),
    ...alikeOnce(details.evidence).map(({ found, times }) => ({
      at: found.at,
      entry: <EvidenceEntry key={found.id} found={found} times={times} />,
    })),
    ...moment(sentAt, t('state:sent.name'), confirmedAt === null ? t('submission:facts.notConfirmed') : null),
    ...moment(confirmedAt, t('submission:facts.confirmedAt'), null),
  ]
  return (
    <>
      <ol role="list" className={timelineCss.list}>
        {entries
          .toSorted((one, other) => one.at - other.at)
          .toReversed()
          .map(({ entry }) => entry)}
      </ol>
      <Group component="p" gap="4px 20px" mt={10}>
        {hasReport && caseId !== null && (
          <Anchor href={writeRoute({ screen: 'reports', caseId, submissionId: id })} fw={600}>
            {t('submission:facts.openReport')}
          </Anchor>
        )}
        {caseId !== null && (
          <Anchor href={writeRoute({ screen: 'cases', caseId })}>
            {t('submission:facts.caseId', { id: caseId })}
          </Anchor>
        )}
        <Anchor href={writeRoute({ screen: 'activity', reference: details.reference })}>
          {t('shell:screens.activity')}
        </Anchor>
      </Group>
    </>
  )
}

export type Caution =
  | { readonly kind: 'twice' | 'found'; readonly caseIds: readonly string[] }
  | { readonly kind: 'centerUnsure' }

const LIKELIEST_FIRST: readonly Evidence['kind'][] = [
  'twice',
  'echoedReference',
  'readBack',
  'sameIdentity',
  'several',
  'unclear',
]

/** What the evidence says: the service's cases that it could be, each once, strongest evidence first. */
export function summarizeDelivery(evidence: readonly Pick<Evidence, 'kind' | 'caseIds'>[]) {
  const has = (kind: Evidence['kind']): boolean => evidence.some((one) => one.kind === kind)
  const idsOf = (kinds: readonly Evidence['kind'][]): string[] => [
    ...new Set(
      kinds.flatMap((kind) => evidence.filter((one) => one.kind === kind).flatMap(({ caseIds }) => caseIds)),
    ),
  ]
  const rest = evidence.map(({ kind }) => kind).filter((kind) => !LIKELIEST_FIRST.includes(kind))
  const cautions: Caution[] = has('twice')
    ? [{ kind: 'twice', caseIds: idsOf(['twice']) }]
    : has('echoedReference')
      ? [{ kind: 'found', caseIds: idsOf(['echoedReference']) }]
      : []
  if (has('centerUnsure')) cautions.push({ kind: 'centerUnsure' })
  const why = has('restored') ? ('restored' as const) : ('noAnswer' as const)
  return { why, candidates: idsOf([...LIKELIEST_FIRST, ...rest]), cautions }
}
