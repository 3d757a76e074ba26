/** The delivery of a case: transfer, attempts, answers and evidence. */
import { Anchor, Group, Stack } from '@mantine/core'
import { IconFileCode, IconSquareX } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton, Fact, Instant, NotRead, SmallButton } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import type { Attempt, Evidence } from '../../src-shared/submission.ts'
import { AttemptTimeline, isFullyUploaded, Stalled, TransferBar } from '../components/transfer.tsx'
import timelineCss from '../components/timeline.module.css'
import { formatExactly } from '../format/dates.ts'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { runAction } from '../queue/actions.ts'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { Block } from './field-input.tsx'
import { useCase } from './form.ts'
import css from './sending-panel.module.css'

export function SendingPanel() {
  const session = useSession()
  const { details } = useCase()
  const progress = useStation((state) => state.progress[details.id])
  const isAllOut = isFullyUploaded(progress)
  const stalledSince = progress?.stalledSince ?? null
  return (
    <section className={css.panel} aria-labelledby="sending">
      <Stack gap={5} miw={0} flex={1}>
        <h2 id="sending" className={css.title}>
          {t('submission:sending.title')}
        </h2>
        <TransferBar progress={progress} />
        <p className={css.note}>
          {stalledSince !== null ? (
            <Stalled
              since={stalledSince}
              format={(time, forHow) => t('queue:stalled', { time, forHow })}
              className="bold amber"
            />
          ) : isAllOut ? (
            t('submission:sending.through')
          ) : (
            t('submission:sending.explain')
          )}
        </p>
      </Stack>
      <ActionButton
        icon={IconSquareX}
        disabled={isAllOut}
        onClick={() => void runAction(session, 'cancel', [details])}
      >
        {t('queue:action.cancel.name')}
      </ActionButton>
    </section>
  )
}

/** More than anyone reads; a hostile answer must not freeze the window. */
const MAX_LENGTH = 20_000

type RawAnswerProps = {
  readonly attempt: { readonly id: string; readonly number: number } | null
  readonly onClose: () => void
}

/** The service's answer to an attempt as text, truncated if very long, and never interpreted as markup. */
function RawAnswer({ attempt, onClose }: RawAnswerProps) {
  return (
    <Dialog
      opened={attempt !== null}
      onClose={onClose}
      size="xl"
      title={attempt && t('submission:answer.title', { number: attempt.number })}
    >
      {attempt && <AnswerText attemptId={attempt.id} />}
    </Dialog>
  )
}

function AnswerText({ attemptId }: { readonly attemptId: string }) {
  const { value, failure } = useAnswer('submissions.answer', { attemptId })
  const { conceal } = useCase()
  if (value === null) return <NotRead failure={failure} label={t('submission:answer.loading')} />
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

export function Attempts() {
  const { details, conceal } = useCase()
  const [shown, setShown] = useState<Attempt | null>(null)
  return (
    <Block name="attempts" title={t('submission:attempts.title')}>
      <AttemptTimeline attempts={details.attemptList} conceal={conceal} onShowAnswer={setShown} />
      <RawAnswer attempt={shown} onClose={() => setShown(null)} />
    </Block>
  )
}

export function EvidenceList() {
  const { evidence } = useCase().details
  if (evidence.length === 0) return <p className="dim">{t('submission:evidence.none')}</p>
  return (
    <ol role="list" className={timelineCss.list}>
      {evidence
        .toSorted((one, other) => other.at - one.at)
        .map((found) => (
          <li key={found.id} className={timelineCss.item} data-kind={found.kind}>
            <p className={timelineCss.line}>
              <strong>{t(`submission:evidence.kinds.${found.kind}`)}</strong>
              <Instant at={found.at} />
            </p>
            <p className="small dim breakable">
              {joinTexts(
                messageOf(found),
                found.caseIds.length > 0 &&
                  t('submission:evidence.cases', {
                    count: found.caseIds.length,
                    ids: found.caseIds.join(', '),
                  }),
                found.by !== null && t('submission:evidence.by', { initials: found.by }),
              )}
            </p>
          </li>
        ))}
    </ol>
  )
}

/** For every attempt that may have arrived: what was sent, when, how much, and the answer. */
export function SentFacts() {
  const { attemptList, reference } = useCase().details
  const [shown, setShown] = useState<Attempt | null>(null)
  const doubtful = attemptList
    .filter(({ outcome }) => outcome === 'unknown' || outcome === null)
    .toSorted((one, other) => other.number - one.number)
  if (doubtful.length === 0) return <p className="dim">{t('delivery:sent.none')}</p>
  return (
    <>
      <ol role="list" className={timelineCss.list}>
        {doubtful.map((attempt) => (
          <SentItem key={attempt.id} attempt={attempt} onShow={() => setShown(attempt)} />
        ))}
      </ol>
      <p className="small dim breakable">{t('delivery:sent.under', { reference })}</p>
      <RawAnswer attempt={shown} onClose={() => setShown(null)} />
    </>
  )
}

function SentItem({ attempt, onShow }: { readonly attempt: Attempt; readonly onShow: () => void }) {
  const { number, handedOverBytes, requestBytes, centerId, failure, hasAnswer, startedAt } = attempt
  const all = formatBytes(requestBytes)
  return (
    <li className={timelineCss.item} data-outcome="unknown">
      <p className={timelineCss.line}>
        <strong>
          {handedOverBytes >= requestBytes
            ? t('delivery:sent.all', { size: all })
            : t('delivery:sent.part', { sent: formatBytes(handedOverBytes), all })}
        </strong>
        <Instant at={startedAt} />
      </p>
      <p className="small dim breakable">
        {t('submission:attempts.number', { number })}
        {centerId !== null && ` ${t('delivery:sent.center', { id: centerId })}`}
      </p>
      <p className="small dim breakable">
        {failure?.status !== undefined
          ? t('delivery:sent.answered', { status: failure.status })
          : hasAnswer
            ? t('delivery:sent.answeredUnread')
            : t('delivery:sent.noAnswer')}
      </p>
      {hasAnswer && (
        <SmallButton
          my={4}
          icon={IconFileCode}
          aria-label={t('delivery:sent.showOf', { number })}
          onClick={onShow}
        >
          {t('submission:attempts.answer')}
        </SmallButton>
      )}
    </li>
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

export function About() {
  const { id, addedAt, centerId, caseId, sentAt, confirmedAt, hasReport } = useCase().details
  return (
    <Block name="about" title={t('submission:facts.title')}>
      <dl className="facts">
        <Fact name={t('queue:columns.added')}>{formatExactly(addedAt)}</Fact>
        <Fact name={t('submission:facts.center')}>{centerId ?? t('submission:facts.noCenter')}</Fact>
        {caseId !== null && (
          <Fact name={t('submission:facts.caseId')}>
            <Anchor href={writeRoute({ screen: 'cases', caseId })}>{caseId}</Anchor>
          </Fact>
        )}
        {sentAt !== null && <Fact name={t('state:sent.name')}>{formatExactly(sentAt)}</Fact>}
        {sentAt !== null && (
          <Fact name={t('submission:facts.confirmedAt')}>
            {confirmedAt === null ? t('submission:facts.notConfirmed') : formatExactly(confirmedAt)}
          </Fact>
        )}
      </dl>
      <Group component="p" gap="4px 20px" mt={10}>
        {hasReport && caseId !== null && (
          <Anchor href={writeRoute({ screen: 'reports', caseId, submissionId: id })} fw={600}>
            {t('submission:facts.openReport')}
          </Anchor>
        )}
        <Anchor href={writeRoute({ screen: 'activity', submissionId: id })}>
          {t('submission:facts.activity')}
        </Anchor>
      </Group>
    </Block>
  )
}
