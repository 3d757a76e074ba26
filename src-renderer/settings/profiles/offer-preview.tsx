/** What an offer does to the real files of its folder: one list for each thing that may become of them. */
import { Table, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import type { CounterExample, Offer, OfferPreview, ReadValues } from '../../../src-shared/profile-offers.ts'
import { EyeMark } from '../../components/badges.tsx'
import { formatCalendarDay } from '../../format/dates.ts'
import { joinTexts, t } from '../../i18n/i18n.ts'
import { type Names, useNames } from '../../privacy/names.tsx'
import css from './confirmed-names.module.css'

/** Enough to see the pattern; the rest comes on demand, and of thousands no one reads all. */
const FIRST_SHOWN = 5
const MOST_SHOWN = 40

type OfferPreviewListsProps = { readonly offer: Offer; readonly preview: OfferPreview }

export function OfferPreviewLists({ offer, preview }: OfferPreviewListsProps) {
  const names = useNames()
  const { matching, different, notMatching, unclear, counterExamples, refuses, notChecked } = preview
  return (
    <div className={css.lists}>
      <FileList title={t('naming:files.counterExamples', { count: counterExamples.length })} tone="amber" isOpen>
        {counterExamples.map((one) => correctedRow(one, names))}
      </FileList>
      <FileList title={t('naming:files.different', { count: different.length })} tone="amber" isOpen>
        {different.map(({ path, now, before, differs }) =>
          readRow(path, now, names, differs.map((part) => wasBefore(part, before)).join(', ')),
        )}
      </FileList>
      <FileList title={t('naming:files.matching', { count: matching.length })} isOpen>
        {matching.map(({ path, reading }) => readRow(path, reading, names))}
      </FileList>
      <FileList title={t('naming:files.outlived', { count: offer.outlived.length })} tone="amber">
        {offer.outlived.map((one) => correctedRow(one, names))}
      </FileList>
      <FileList title={t('naming:files.notMatching', { count: notMatching.length })}>
        {notMatching.map((path) => plainRow(path, names))}
      </FileList>
      <FileList title={t('naming:files.unclear', { count: unclear.length })} tone="amber">
        {unclear.map((path) => plainRow(path, names))}
      </FileList>
      <FileList title={t('naming:files.refuses', { count: refuses.length })}>
        {refuses.map((path) => plainRow(path, names))}
      </FileList>
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
    </div>
  )
}

type FileListProps = {
  readonly title: string
  readonly tone?: 'amber'
  readonly isOpen?: boolean
  readonly children: readonly ReactNode[]
}

/** A list that opens by its title; an empty one is not there. */
function FileList({ title, tone, isOpen = false, children }: FileListProps) {
  const id = useId()
  const [isExpanded, setExpanded] = useState(isOpen)
  const [isWhole, setWhole] = useState(false)
  if (children.length === 0) return null
  const shown = children.slice(0, isWhole ? MOST_SHOWN : FIRST_SHOWN)
  const rest = children.length - shown.length
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
      <div id={id} hidden={!isExpanded} className={css.scroll}>
        <Table className={css.table} aria-label={title} verticalSpacing={4} horizontalSpacing={10}>
          <Table.Tbody>{shown}</Table.Tbody>
        </Table>
        {children.length > FIRST_SHOWN && (
          <p className={css.more}>
            <UnstyledButton className={css.link} onClick={() => setWhole((before) => !before)}>
              {isWhole ? t('naming:files.fewer') : t('naming:files.all')}
            </UnstyledButton>
            {rest > 0 && <span className="dim">{t('naming:files.more', { count: rest })}</span>}
          </p>
        )}
      </div>
    </div>
  )
}

function readRow(path: string, reading: ReadValues, names: Names, remark?: string): ReactNode {
  const { historyNumber, visitDate, eye, name } = reading
  return (
    <Table.Tr key={path}>
      <Table.Td className={css.file}>{names.fileName(path)}</Table.Td>
      <Table.Td className="tabular">{historyNumber}</Table.Td>
      <Table.Td className="tabular">{visitDate && formatCalendarDay(visitDate)}</Table.Td>
      <Table.Td>{eye && <EyeMark eye={eye} />}</Table.Td>
      <Table.Td className={css.remark}>{joinTexts(name && names.name(name), remark)}</Table.Td>
    </Table.Tr>
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
  return `${t('naming:column.before')}: ${values[part] ?? t('naming:nothingRead')}`
}

function correctedRow({ path, differs }: CounterExample, names: Names): ReactNode {
  return (
    <Table.Tr key={path}>
      <Table.Td className={css.file}>{names.fileName(path)}</Table.Td>
      <Table.Td className={css.remark}>
        {differs.map((part) => t(`naming:differs.${part}`)).join(', ')}
      </Table.Td>
    </Table.Tr>
  )
}

function plainRow(path: string, names: Names): ReactNode {
  return (
    <Table.Tr key={path}>
      <Table.Td className={css.file}>{names.fileName(path)}</Table.Td>
    </Table.Tr>
  )
}
