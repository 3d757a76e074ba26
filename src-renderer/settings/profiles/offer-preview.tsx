/** What an offer does to the real files of its folder: one list for each thing that may become of them. */
import { Group, Stack, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { ActionButton, Caution, FailureNotice } from '../../components/controls.tsx'
import type { ConfirmedProfile, StrictPart } from '../../../src-shared/confirmed-profile.ts'
import type { CounterExample, Offer, OfferPreview, ReadValues } from '../../../src-shared/profile-offers.ts'
import { EyeMark } from '../../components/badges.tsx'
import { SignatureFields, useSignature } from '../../decisions/decisions.tsx'
import { formatCalendarDay } from '../../format/dates.ts'
import { t } from '../../i18n/i18n.ts'
import type { Texts } from '../../../src-shared/texts/english.ts'
import { type Names, useNames } from '../../privacy/names.tsx'
import { useCall } from '../../store/use-station.ts'
import css from './confirmed-names.module.css'

/** Of thousands no one reads all. */
const MOST_SHOWN = 40

const COLUMNS = ['file', 'historyNumber', 'visitDate', 'eye'] as const

type PatternProps = { readonly profile: Pick<ConfirmedProfile, 'parts'>; readonly pattern: string }

/** The pattern as people see it: what stays the same, and what each part between says. */
export function Pattern({ profile, pattern }: PatternProps) {
  return (
    <p className={css.pattern} title={pattern}>
      {profile.parts.map((part, index) =>
        part.kind === 'text' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a pattern never change
          <span key={index}>{part.text}</span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a pattern never change
          <span key={index} className={css.part}>
            {partLabel(part)}
          </span>
        ),
      )}
    </p>
  )
}

function partLabel(part: Exclude<StrictPart, { kind: 'text' }>): string {
  if (part.kind === 'date') {
    const name = t(part.of === 'visit' ? 'naming:part.date' : 'naming:part.otherDate')
    return `${name} ${part.format}`
  }
  if (part.kind === 'time') return `${t('naming:part.time')} ${part.format}`
  return t(`naming:part.${part.kind}`)
}

type OfferPreviewListsProps = { readonly offer: Offer; readonly preview: OfferPreview }

function OfferPreviewLists({ offer, preview }: OfferPreviewListsProps) {
  const names = useNames()
  const { matching, different, notMatching, unclear } = preview
  const { counterExamples, outlived, refuses, notChecked } = offer
  const hasNames = matching.some(({ reading }) => reading.name !== null)
  const corrected = (one: CounterExample): ReactNode => correctedRow(one, names)
  const plain = (path: string): ReactNode => plainRow(path, names)
  return (
    <Stack gap={2}>
      <FileList of="counterExamples" tone="amber" isOpen>
        {counterExamples.map(corrected)}
      </FileList>
      <FileList of="different" tone="amber" isOpen columns={[...COLUMNS, 'before']}>
        {different.map(({ path, now, before, differs }) =>
          readRow(path, now, differs.map((part) => wasBefore(part, before)).join(', '), names),
        )}
      </FileList>
      <FileList of="matching" isOpen columns={hasNames ? [...COLUMNS, 'name'] : COLUMNS}>
        {matching.map(({ path, reading }) =>
          readRow(path, reading, hasNames ? reading.name && names.name(reading.name) : undefined, names),
        )}
      </FileList>
      <FileList of="outlived" tone="amber">
        {outlived.map(corrected)}
      </FileList>
      <FileList of="notMatching">{notMatching.map(plain)}</FileList>
      <FileList of="unclear" tone="amber">
        {unclear.map(plain)}
      </FileList>
      <FileList of="refuses">{refuses.map(plain)}</FileList>
      {notChecked.length > 0 && (
        <div className={css.notChecked}>
          <strong>
            <IconInfoCircle size={16} aria-hidden />
            {t('naming:notChecked.title')}
          </strong>
          <ul>
            {notChecked.map((part) => (
              <li key={part}>{t(`naming:notChecked.${part}`)}</li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  )
}

type FileListProps = {
  readonly of: keyof OfferPreview | 'counterExamples' | 'outlived' | 'refuses'
  readonly tone?: 'amber'
  readonly isOpen?: boolean
  readonly columns?: readonly (keyof Texts['naming']['column'])[]
  readonly children: readonly ReactNode[]
}

/** A list that opens by its title; an empty one is not there. */
function FileList({ of, tone, isOpen = false, columns, children }: FileListProps) {
  const id = useId()
  const [isExpanded, setExpanded] = useState(isOpen)
  if (children.length === 0) return null
  const title = t(`naming:files.${of}`, { count: children.length })
  return (
    <div className={css.list} data-tone={tone}>
      <UnstyledButton
        className={css.listTitle}
        aria-expanded={isExpanded}
        aria-controls={id}
        onClick={() => setExpanded((before) => !before)}
      >
        <IconChevronDown size={16} aria-hidden />
        {title}
      </UnstyledButton>
      <div
        id={id}
        hidden={!isExpanded}
        className={css.scroll}
        role="region"
        aria-label={title}
        // An element that scrolls takes the focus, or the keyboard cannot scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table className={css.table} aria-label={title}>
          {columns && (
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {t(`naming:column.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>{children.slice(0, MOST_SHOWN)}</tbody>
        </table>
        {children.length > MOST_SHOWN && (
          <p className="small dim">{t('shell:andMore', { count: children.length - MOST_SHOWN })}</p>
        )}
      </div>
    </div>
  )
}

/** `last`: the text of the last column; undefined if there is none. */
function readRow(
  path: string,
  reading: ReadValues,
  last: string | null | undefined,
  names: Names,
): ReactNode {
  const { historyNumber, visitDate, eye } = reading
  return (
    <tr key={path}>
      <td className={css.file}>{names.fileName(path)}</td>
      <td className="tabular">{historyNumber}</td>
      <td className="tabular">{visitDate ? formatCalendarDay(visitDate) : t('naming:nothingRead')}</td>
      <td>{eye ? <EyeMark eye={eye} /> : t('naming:nothingRead')}</td>
      {last !== undefined && <td className={css.remark}>{last ?? t('naming:nothingRead')}</td>}
    </tr>
  )
}

function wasBefore(
  part: OfferPreview['different'][number]['differs'][number],
  before: OfferPreview['different'][number]['before'],
): string {
  const values = {
    historyNumber: before.historyNumber,
    visitDate: before.visitDate && formatCalendarDay(before.visitDate),
    eye: before.eye && t(`field:eye.${before.eye}.short`),
    name: null,
  }
  return values[part] ?? t('naming:nothingRead')
}

function correctedRow({ path, differs }: CounterExample, names: Names): ReactNode {
  return (
    <tr key={path}>
      <td className={css.file}>{names.fileName(path)}</td>
      <td className={css.remark}>{differs.map((part) => t(`naming:differs.${part}`)).join(', ')}</td>
    </tr>
  )
}

function plainRow(path: string, names: Names): ReactNode {
  return (
    <tr key={path}>
      <td className={css.file}>{names.fileName(path)}</td>
    </tr>
  )
}

type OfferBodyProps = OfferPreviewListsProps & {
  /** What it rests on. */
  readonly evidence?: string
  readonly action: string
  readonly hint: string
  /** Takes what the preview shows, for the person with these initials; null after a failure. */
  readonly take: (call: ReturnType<typeof useCall>['call'], by: string) => Promise<object | null>
  readonly onTaken: () => void
}

/** What an offer does to real files: a person takes it with initials, unless a correction speaks against it. */
export function OfferBody({ offer, preview, evidence, action, hint, take, onTaken }: OfferBodyProps) {
  const { call, isBusy, failure } = useCall()
  const signature = useSignature()
  const sign = async (): Promise<void> => {
    const signed = signature.sign()
    if (signed !== null && (await take(call, signed.by)) !== null) onTaken()
  }
  const isRefused = offer.counterExamples.length > 0
  return (
    <>
      <Pattern profile={offer.profile} pattern={offer.pattern} />
      {isRefused ? <Caution>{t('naming:offer.refusedWhy')}</Caution> : evidence && <p>{evidence}</p>}
      <OfferPreviewLists offer={offer} preview={preview} />
      {!isRefused && (
        <div className={css.confirm}>
          {failure && <FailureNotice failure={failure} />}
          <Group gap={12} align="flex-end">
            <SignatureFields signature={signature} />
            <ActionButton variant="filled" icon={IconCheck} loading={isBusy} onClick={() => void sign()}>
              {action}
            </ActionButton>
          </Group>
          <p className="small dim">{hint}</p>
        </div>
      )}
    </>
  )
}
