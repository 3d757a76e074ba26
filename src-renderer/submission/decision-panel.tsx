/** The decision about an unconfirmed case: a table that compares it with the service's cases, and the panel. */
import { Button, Group, Loader, Radio, Stack, TextInput } from '@mantine/core'
import { IconCheck, IconCircleCheck, IconHelpCircle, IconRepeat, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { SmallButton } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import { NextCheck } from '../queue/row-reason.tsx'
import { runCall } from '../shell/toast.tsx'
import { useSession } from '../store/use-station.ts'
import {
  type Candidate,
  type Candidates,
  Cautions,
  type Compared,
  type Decision,
  DecisionForm,
  useCandidates,
} from './candidates.tsx'
import css from './compare-table.module.css'
import { History, summarizeDelivery } from './delivery.tsx'
import { Block } from './field-input.tsx'
import { useCase } from './form.ts'

type CompareTableProps = { readonly ours: Candidates['ours']; readonly candidates: readonly Candidate[] }

function CompareTable({ ours, candidates }: CompareTableProps) {
  const names = useNames()
  const rows = (Object.keys(ours) as Compared['what'][]).filter(
    (what) => ours[what] !== null || candidates.some((one) => (rowOf(one, what)?.theirs ?? null) !== null),
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls takes the focus, or the keyboard cannot scroll it
    <div className={css.frame} tabIndex={0} role="region" aria-label={t('delivery:compare.title')}>
      <table className={css.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('delivery:compare.this')}</th>
            {candidates.map(({ caseId }) => (
              <th key={caseId} scope="col">
                <Radio value={caseId} label={caseId} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((what) => (
            <tr key={what}>
              <th scope="row">{t(`delivery:compare.fields.${what}`)}</th>
              <td className="tabular">{shown(what, ours[what], names)}</td>
              {candidates.map((one) => (
                <Cell key={one.caseId} row={rowOf(one, what)} isListed={one.compared !== null} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function rowOf({ compared }: Candidate, what: Compared['what']): Compared | null {
  return compared?.find((one) => one.what === what) ?? null
}

type CellProps = { readonly row: Compared | null; readonly isListed: boolean }

function Cell({ row, isListed }: CellProps) {
  const names = useNames()
  if (row === null || row.theirs === null)
    return (
      <td className="dim">{isListed ? t('delivery:compare.unsaid') : t('delivery:compare.notListed')}</td>
    )
  return (
    <td className="tabular" data-verdict={row.verdict}>
      <Group component="span" gap={5} wrap="nowrap">
        {row.verdict === 'same' && (
          <IconCheck size={15} role="img" aria-label={t('delivery:compare.verdict.same')} />
        )}
        {row.verdict === 'differs' && (
          <IconX size={15} role="img" aria-label={t('delivery:compare.verdict.differs')} />
        )}
        {row.what === 'boundTo'
          ? t('delivery:compare.boundTo', { reference: row.theirs })
          : shown(row.what, row.theirs, names)}
      </Group>
    </td>
  )
}

function shown(what: Compared['what'], text: string | null, names: Names): string {
  if (text === null) return '\u2013'
  if (what === 'lastName' || what === 'firstName') return names.name(text)
  if (what === 'visitDate') return formatCalendarDay(text)
  if (what !== 'created') return text
  const at = Date.parse(text)
  return Number.isNaN(at) ? text : formatInstant(at)
}

const OTHER = 'other'

type CandidateChoiceProps = { readonly candidates: Candidates; readonly onChoose: (caseId: string) => void }

/** "It is there": selects a case of the service, by comparison or by its id. */
function CandidateChoice({ candidates, onChoose }: CandidateChoiceProps) {
  const { items, list, readAt, readAgain } = candidates
  const [choice, setChoice] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  // The selected case may no longer be listed.
  const chosen = choice === OTHER || items.some(({ caseId }) => caseId === choice) ? choice : null
  const isOther = items.length === 0 || chosen === OTHER

  const caseId = (isOther ? typed : (chosen ?? '')).trim()
  return (
    <Stack gap={8} p={14} miw={0} className="quiet-panel">
      <Group component="h3" gap={7}>
        <IconCircleCheck size={18} aria-hidden />
        {t('submission:decision.there.title')}
      </Group>
      <p className="dim">{t('submission:decision.there.explain')}</p>
      <p className="bold">{t('submission:decision.there.risk')}</p>
      {items.length > 0 && (
        <Radio.Group value={chosen} onChange={setChoice} label={t('submission:decision.there.which')}>
          <Stack gap={8} mt={4} miw={0}>
            <CompareTable ours={candidates.ours} candidates={items} />
            <Radio value={OTHER} label={t('submission:decision.there.other')} />
          </Stack>
        </Radio.Group>
      )}
      <Group component="p" gap={8} className={list === 'unreadable' ? 'small amber' : 'small dim'}>
        {list === 'reading' && <Loader size={14} aria-hidden />}
        {list === 'reading' && t('delivery:compare.reading')}
        {list === 'unreadable' && t('delivery:compare.noList')}
        {list === 'read' && readAt !== null && t('delivery:compare.readAt', { when: formatInstant(readAt) })}
        <SmallButton onClick={readAgain}>{t('delivery:compare.readAgain')}</SmallButton>
      </Group>
      {isOther && (
        <TextInput
          label={t('submission:decision.there.id')}
          value={typed}
          maxLength={200}
          maw={340}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Button variant="light" disabled={caseId === ''} onClick={() => onChoose(caseId)}>
        {t('submission:decision.there.action')}
      </Button>
    </Stack>
  )
}

export function DecisionPanel() {
  const session = useSession()
  const { id, reference, digest, evidence, notBefore } = useCase().details
  const { why, candidates: found, cautions } = summarizeDelivery(evidence)
  const candidates = useCandidates(found)
  const [decision, setDecision] = useState<Decision | null>(null)
  const close = (): void => setDecision(null)
  // Retrying an unconfirmed case never sends it: the station looks it up.
  const checkService = async (): Promise<void> => {
    const input = { ids: [id], seen: { [id]: digest }, ...currentSignature() }
    await runCall(session, 'submissions.retry', input)
  }
  return (
    <Block
      id="decision"
      tone="amber"
      icon={IconHelpCircle}
      title={t('submission:decision.title')}
      explain={t(`submission:decision.explain.${why}`)}
    >
      <Cautions cautions={cautions} />
      <p className="small dim breakable">{t('delivery:sent.under', { reference })}</p>
      <Group gap={10} my={10} className="small dim">
        <NextCheck at={notBefore} />
        <SmallButton onClick={() => void checkService()}>{t('submission:evidence.lookNow')}</SmallButton>
      </Group>
      <Stack gap={14}>
        <CandidateChoice
          candidates={candidates}
          onChoose={(caseId) => setDecision({ delivered: true, caseId })}
        />
        <Stack gap={8} p={14} className="quiet-panel">
          <Group component="h3" gap={7}>
            <IconRepeat size={18} aria-hidden />
            {t('submission:decision.absent.title')}
          </Group>
          <p className="dim">{t('submission:decision.absent.explain')}</p>
          <p className="bold">{t('submission:decision.absent.risk')}</p>
          <Button variant="light" color="red" onClick={() => setDecision({ delivered: false })}>
            {t('submission:decision.absent.confirmAction')}
          </Button>
        </Stack>
        <History />
      </Stack>
      <Dialog
        opened={decision !== null}
        onClose={close}
        title={
          decision?.delivered
            ? t('submission:decision.there.confirmTitle', { id: decision.caseId })
            : t('submission:decision.absent.confirmTitle')
        }
      >
        {decision && (
          <DecisionForm
            decision={decision}
            cautions={cautions}
            candidates={candidates.items}
            onClose={close}
          />
        )}
      </Dialog>
    </Block>
  )
}
