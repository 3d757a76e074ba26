/** The questions about whose images these are: of two patients, of how many, and what another number counts. */
import { Button, Group, NativeSelect, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowsSplit2, IconUserQuestion, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { ImageGroup, Proof, ShownStatement } from '../../src-shared/proof.ts'
import type { Image, Reason } from '../../src-shared/submission.ts'
import { EyeMark } from '../components/badges.tsx'
import { ActionButton, Caution, FailureNotice, Form, SmallButton } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { baseName, isSent, Photo } from '../components/photo.tsx'
import { SignatureFields, useSignature } from '../decisions/decisions.tsx'
import { formatSpan } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { goTo } from '../shell/navigation.tsx'
import { runCall, showFailure, showToast } from '../shell/toast.tsx'
import { upsertSubmission } from '../store/store.ts'
import { useCall, useSession } from '../store/use-station.ts'
import { openViewer } from '../viewer/viewer.tsx'
import { filesFirst, hasOpenFiles } from './add-images.tsx'
import { Block } from './field-input.tsx'
import { CHECK_ID, focusOn, type PatientsQuestionKind, useCase, WHOSE_ID } from './form.ts'
import { moveInput, showMoved } from './regroup.tsx'
import photoCss from '../components/photo.module.css'
import css from './patients-question.module.css'
import { Statements, valueText } from './proof-sources.tsx'

/** Reasons that this question is asked for: none of them is shown as a question about a field beside it. */
export const ASKED_BY_GROUPS: readonly Reason['kind'][] = [
  'twoPatients',
  'howManyPatients',
  'identityConflict',
]

export type ShownGroup = Pick<ImageGroup, 'person' | 'takenAt' | 'statements'> & {
  readonly images: readonly Image[]
}

/** The groups as moved. An image of none is in the first; one without images is gone. Pure. */
export function groupsAsMoved(
  images: readonly Image[],
  { groups }: Pick<Proof, 'groups'>,
  moves: ReadonlyMap<string, number>,
): readonly ShownGroup[] {
  const indexOf = ({ id }: Image): number =>
    moves.get(id) ??
    Math.max(
      0,
      groups.findIndex(({ imageIds }) => imageIds.includes(id)),
    )
  const count = Math.max(1, groups.length, ...[...moves.values()].map((index) => index + 1))
  const times = new Map(
    groups.flatMap(({ imageIds, takenAt }) => imageIds.map((id, at) => [id, takenAt[at]])),
  )
  return Array.from({ length: count }, (_, index) => {
    const own = images.filter((image) => indexOf(image) === index)
    const { person = '', statements = [] } = groups[index] ?? {}
    return {
      images: own,
      takenAt: own.map(({ id }) => times.get(id) ?? 0).filter((at) => at > 0),
      person,
      statements,
    }
  })
}

/** The images of each patient side by side, before any question about a field. */
export function PatientsQuestion({ kind }: { readonly kind: PatientsQuestionKind }) {
  const session = useSession()
  const { details, proof, asShown, take } = useCase()
  const [moves, setMoves] = useState<ReadonlyMap<string, number>>(new Map())
  const { isBusy, call } = useCall(showFailure)
  const all = groupsAsMoved(details.images.filter(isSent), proof, moves)
  const groups = all.filter(({ images }) => images.length > 0)
  const separate = async (): Promise<void> => {
    const separated = await call('submissions.separate', {
      ...asShown(),
      groups: groups.map(({ images }) => images.map(({ id }) => id)),
    })
    if (!separated) return
    const { cases } = separated
    for (const one of cases) upsertSubmission(session, one)
    const kept = cases.find(({ id }) => id === details.id)
    const other = cases.find(({ id }) => id !== details.id)
    if (kept) flushSync(() => take(kept))
    showToast({
      message: t('proof:patients.separated', { number: cases.length }),
      ...(other && {
        action: {
          label: t('proof:patients.openOther'),
          run: () => goTo({ screen: 'submission', id: other.id }),
        },
      }),
    })
    focusOn(kept?.reasons.some(({ kind: asked }) => asked === 'sharedNumber') ? WHOSE_ID : CHECK_ID)
  }
  return (
    <Block
      id="patients"
      tone="amber"
      icon={IconUsers}
      title={t(`proof:patients.title.${kind}`)}
      explain={t('proof:patients.explain')}
    >
      <div className={css.groups}>
        {all.map(
          (group, index) =>
            group.images.length > 0 && (
              <GroupCard
                // oxlint-disable-next-line react/no-array-index-key -- a group is its number
                key={index}
                index={index}
                group={group}
                others={groups.filter((one) => one !== group).flatMap(({ statements }) => statements)}
                count={all.length}
                onMove={(imageId, to) => setMoves((before) => new Map([...before, [imageId, to]]))}
              />
            ),
        )}
      </div>
      <Group gap={8} mt={12}>
        <ActionButton
          variant="filled"
          icon={IconArrowsSplit2}
          disabled={groups.length < 2}
          title={groups.length < 2 ? t('proof:patients.oneGroup') : undefined}
          loading={isBusy}
          onClick={() => void separate()}
        >
          {t('proof:patients.separate')}
        </ActionButton>
        <SamePatientButton />
        <span className="small dim">{t('proof:patients.after')}</span>
      </Group>
    </Block>
  )
}

/** What only this group states, and what another one states, too. Pure. */
export function partsOf(
  statements: readonly ShownStatement[],
  others: readonly ShownStatement[],
): readonly [own: readonly ShownStatement[], common: readonly ShownStatement[]] {
  const isCommon = (one: ShownStatement): boolean =>
    others.some(({ source, value }) => source === one.source && value === one.value)
  return [statements.filter((one) => !isCommon(one)), statements.filter(isCommon)]
}

type GroupCardProps = {
  readonly index: number
  readonly group: ShownGroup
  /** What the other groups state. */
  readonly others: readonly ShownStatement[]
  /** Of all groups, also those that were emptied. */
  readonly count: number
  readonly onMove: (imageId: string, to: number) => void
}

function GroupCard({ index, group, others, count, onMove }: GroupCardProps) {
  const { id } = useCase().details
  const { images, takenAt, person, statements } = group
  // What parts the groups comes before what they share.
  const [own, common] = partsOf(statements, others)
  // The images themselves are below, with the paths.
  const withoutPaths = (all: typeof own) => all.map((one) => ({ ...one, where: '' }))
  const names = useNames()
  const number = index + 1
  const choices = Array.from({ length: count }, (_, at) => ({
    value: String(at),
    label: t('proof:patients.group', { number: at + 1 }),
  }))
  const newGroup = { value: String(count), label: t('proof:patients.newGroup') }
  return (
    <Stack
      component="article"
      gap={8}
      p={12}
      miw={0}
      className="quiet-panel"
      aria-label={joinTexts(
        t('proof:patients.group', { number }),
        t('queue:images', { count: images.length }),
      )}
    >
      <Group component="h3" gap={8} justify="space-between">
        {person === '' ? t('proof:patients.group', { number }) : valueText(person, names)}
        <span className="small dim">
          {joinTexts(
            person !== '' && t('proof:patients.group', { number }),
            t('queue:images', { count: images.length }),
            takenAt.length > 0 && formatSpan(Math.min(...takenAt), Math.max(...takenAt)),
          )}
        </span>
      </Group>
      {statements.length === 0 && <p className="dim">{t('proof:patients.nothing')}</p>}
      {own.length > 0 && (
        <div className={css.own}>
          <Statements statements={withoutPaths(own)} />
        </div>
      )}
      {common.length > 0 && <Statements statements={withoutPaths(common)} />}
      <ul role="list" className={css.images}>
        {images.map((image) => {
          // If no file names a patient, the folder may.
          const name = names.fileName(statements.length === 0 ? image.fileName : baseName(image.fileName))
          return (
            <li key={image.id} className={css.image}>
              <UnstyledButton
                className={photoCss.open}
                aria-label={t('desk:enlarge', { what: name })}
                onClick={() => openViewer({ submissionId: id, imageId: image.id })}
              >
                <Photo image={image} className={photoCss.whole} />
              </UnstyledButton>
              <span className={css.caption} title={names.fileName(image.fileName)}>
                <EyeMark eye={image.eye} />
                <span className="truncate">{name}</span>
              </span>
              <NativeSelect
                size="xs"
                aria-label={t('proof:patients.move', { what: name })}
                value={String(index)}
                data={images.length > 1 ? [...choices, newGroup] : choices}
                onChange={(event) => onMove(image.id, Number(event.currentTarget.value))}
              />
            </li>
          )
        })}
      </ul>
      <JoinButtons images={images} group={number} />
    </Stack>
  )
}

type JoinButtonsProps = {
  readonly images: readonly Image[]
  /** The group among several, so that equal buttons differ for screen readers. */
  readonly group: number | null
}

/** Cases of the same series whose number a person has entered: one click adds these images. */
function JoinButtons({ images, group }: JoinButtonsProps) {
  const session = useSession()
  const { details, proof } = useCase()
  const add = async (to: Proof['joinable'][number]): Promise<void> => {
    const isEmptied = details.images.filter(isSent).length === images.length
    if (isEmptied && hasOpenFiles(details.id)) return showFailure(filesFirst())
    const moved = await runCall(session, 'submissions.moveImages', moveInput(details, images, to))
    if (moved) showMoved(session, moved, isEmptied)
  }
  if (proof.joinable.length === 0) return null
  return (
    <Group gap={6} align="stretch">
      {proof.joinable.map((one) => {
        const text = t('proof:join.add', { number: one.historyNumber })
        return (
          <SmallButton
            key={one.id}
            title={one.reference}
            aria-label={
              group === null ? text : t('proof:join.addGroup', { number: one.historyNumber, group })
            }
            onClick={() => void add(one)}
          >
            {text}
          </SmallButton>
        )
      })}
    </Group>
  )
}

/** The same offer for a case about which nothing else is asked. */
export function JoinOffer() {
  const { details, proof } = useCase()
  if (proof.joinable.length === 0) return null
  return (
    <Block
      id="join-offer"
      icon={IconUserQuestion}
      title={t('proof:join.title')}
      explain={t('proof:join.explain')}
    >
      <JoinButtons images={details.images.filter(isSent)} group={null} />
    </Block>
  )
}

/** Opens the question whether the images are of one patient. */
export function SamePatientButton() {
  const [isAsked, dialog] = useDisclosure(false)
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('proof:patients.same')}
      </Button>
      <Dialog opened={isAsked} onClose={dialog.close} title={t('proof:patients.sameTitle')}>
        <SamePatient onClose={dialog.close} />
      </Dialog>
    </>
  )
}

/** "Same patient" is remembered for later cases, so it is asked with its risk and signed. */
function SamePatient({ onClose }: { readonly onClose: () => void }) {
  const { details, proof, take } = useCase()
  const signature = useSignature()
  const { isBusy, failure, call } = useCall()
  // As it was when the dialog was opened: what comes behind it is not seen.
  const [seen] = useState(proof.stated)
  const settle = async (): Promise<void> => {
    const signed = signature.sign()
    if (!signed) return
    const settled = await call('submissions.samePatient', { id: details.id, seen, ...signed })
    if (!settled) return
    onClose()
    take(settled)
  }
  return (
    <Form onSubmit={() => void settle()}>
      <Stack>
        <Text>{t('proof:patients.sameExplain')}</Text>
        <Caution>{t('proof:patients.sameRisk')}</Caution>
        <SignatureFields signature={signature} hasFocus />
        {failure && <FailureNotice failure={failure} tone="amber" />}
        <DialogButtons onCancel={onClose} isFocused={false} loading={isBusy}>
          {t('proof:patients.sameAction')}
        </DialogButtons>
      </Stack>
    </Form>
  )
}
