/**
 * The station that `npm run clinical` examines: the station's own decisions over an outbox in memory. It keeps files
 * and cases, and leaves every verdict to `src-main/station/intake`.
 */
import { readDataFile } from '../../src-main/station/intake/data-files/data-files.ts'
import { foldPath, type StatedEye, stemKeyOf } from '../../src-main/station/intake/evidence.ts'
import { bondOf, eyesIn, type HeldRecord } from '../../src-main/station/intake/proof/binding.ts'
import type { Approval } from '../../src-main/station/intake/profile/align.ts'
import { confirm, provesFile } from '../../src-main/station/intake/profile/confirmation.ts'
import { learnOffers } from '../../src-main/station/intake/profile/learn.ts'
import { readByConfirmed } from '../../src-main/station/intake/profile/strict.ts'
import { bareId, shapeOf } from '../../src-main/station/intake/proof/numbers.ts'
import { termsIn } from '../../src-main/station/intake/proof/named-people.ts'
import type { FolderMemory } from '../../src-main/station/intake/proof/patient-evidence.ts'
import { nameTermsInPath, type Person } from '../../src-main/station/intake/proof/people.ts'
import {
  BURST_GAP_MS,
  burstsOf,
  groupOf,
  folderOfVisit,
} from '../../src-main/station/intake/proof/together.ts'
import { type Statement, valueIn } from '../../src-main/station/intake/proof/verdict.ts'
import {
  clearanceOf,
  verdictOnVisit,
  type PictureEvidence,
  type VisitVerdict,
} from '../../src-main/station/intake/proof/visit.ts'
import type { ConfirmedProfile } from '../../src-shared/confirmed-profile.ts'
import type { Offer } from '../../src-shared/profile-offers.ts'
import type {
  Corrections,
  ExaminedCase,
  ExaminedNote,
  ExaminedReason,
  ExaminedState,
  ExaminedStation,
  OpenStation,
} from './station.ts'
import { type DataFile, type DicomHeader, type FileEvent, type Picture, QUIET_MS } from './world.ts'

type HeldPicture = {
  readonly id: string
  readonly photograph: string
  readonly paths: string[]
  readonly headers: { readonly path: string; readonly header: DicomHeader }[]
  readonly seenMs: number
  readonly mtimeMs: number
  home: HeldCase
  eye: StatedEye | null
}

type HeldCase = {
  readonly key: string
  readonly pictures: HeldPicture[]
  group: string
  /** Where and when loose pictures were taken, so that a burst finds its case. */
  quietAt: number
  state: ExaminedState
  entered: Corrections
  /** The pictures that were there when a person entered the number. */
  enteredFor: ReadonlySet<string>
  lateFor: string | null
  shown: ExaminedCase | null
}

const DATA_OPTIONS = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' } as const

export const openExamined: OpenStation = () => new MemoryStation()

class MemoryStation implements ExaminedStation {
  readonly #pictures = new Map<string, HeldPicture>()
  readonly #byStem = new Map<string, HeldPicture[]>()
  readonly #usesOf = new Map<string, Set<string>>()
  readonly #records = new Map<string, HeldRecord[]>()
  /** What data files said before they were written over: of images whose names were used again, it still doubts. */
  readonly #past = new Map<string, HeldRecord[]>()
  readonly #patientsOfFolder = new Map<string, Set<string>>()
  readonly #cases: HeldCase[] = []
  readonly #notes: ExaminedNote[] = []
  readonly #patients = new Set<string>()
  readonly #shapes = new Set<string>()
  readonly #idsOfTerm = new Map<string, Set<string>>()
  readonly #termsOfPatient = new Map<string, Set<string>>()
  readonly #approvals: Approval[] = []
  #confirmed: readonly ConfirmedProfile[] = []
  #offers: { readonly after: number; readonly list: readonly Offer[] } = { after: 0, list: [] }
  #now = 0

  readonly #memory: FolderMemory = {
    isPatient: (id) => this.#patients.has(bareId(id)),
    isShapeOfIds: (shape) => this.#shapes.has(shape),
    isConstant: (term) => (this.#idsOfTerm.get(term)?.size ?? 0) >= 3,
    termsOf: (id) => [...(this.#termsOfPatient.get(bareId(id)) ?? [])],
    isNoPatientNumber: () => false,
    areSamePatient: () => false,
  }

  arrive(event: FileEvent): void {
    this.#now = event.atMs
    const { content } = event
    if (content.kind === 'data') this.#arriveData(event, content)
    else if (content.isDamaged)
      this.#notes.push({
        text: 'This image is damaged.',
        path: event.path,
        bytes: content.bytes,
        caseKey: null,
      })
    else this.#arrivePicture(event, content)
  }

  advance(toMs: number): void {
    this.#now = toMs
    for (const held of this.#cases)
      if (held.state === 'collecting' && held.pictures.length > 0 && held.quietAt <= toMs) this.#settle(held)
  }

  cases(): readonly ExaminedCase[] {
    return this.#cases.flatMap((held) =>
      held.pictures.length === 0 ? [] : [(held.shown ??= this.#show(held))],
    )
  }

  notes(): readonly ExaminedNote[] {
    return this.#notes
  }

  answer(caseKey: string, corrections: Corrections): void {
    const held = this.#caseOf(caseKey)
    held.entered = { ...held.entered, ...corrections, eyes: { ...held.entered.eyes, ...corrections.eyes } }
    held.enteredFor = new Set(held.pictures.map(({ id }) => id))
    this.#settle(held)
  }

  approve(caseKey: string, corrections: Corrections | null): void {
    const held = this.#caseOf(caseKey)
    if (corrections !== null) this.answer(caseKey, corrections)
    held.state = 'sentSeen'
    held.shown = this.#show(held)
    const { historyNumber, visitDate, lastName, firstName, pictures } = held.shown
    if (historyNumber === null) return
    this.#learn(held, historyNumber)
    if (visitDate === null) return
    this.#approvals.push({
      caseId: caseKey,
      patient: bareId(historyNumber),
      visitDay: visitDate,
      files: pictures.flatMap(({ path, eye }) => (eye === 'unknown' ? [] : [{ path, eye }])),
      historyNumber,
      lastName,
      firstName,
      corrected: corrections !== null,
      isScript: false,
    })
  }

  offers(): readonly { readonly key: string; readonly text: string }[] {
    return this.#currentOffers().map(({ key, pattern }) => ({ key, text: pattern }))
  }

  confirm(offerKey: string): void {
    const offer = this.#currentOffers().find(({ key }) => key === offerKey)
    if (!offer) return
    const profile = confirm(offer.profile, { by: 'AB', now: this.#now, station: 'this one' })
    this.#confirmed = [...this.#confirmed.filter(({ id }) => id !== offer.extends), profile]
    this.#offers = { after: -1, list: [] }
  }

  #currentOffers(): readonly Offer[] {
    const { length } = this.#approvals
    if (this.#offers.after !== length) {
      const paths = [...this.#pictures.values()].flatMap((picture) => picture.paths)
      // A correction is a counter-example until enough visits after it needed none.
      const lastCorrected = this.#approvals.findLastIndex(({ corrected }) => corrected)
      const list = learnOffers(this.#approvals.slice(lastCorrected + 1), paths, this.#confirmed)
      this.#offers = {
        after: length,
        list: list.filter(({ counterExamples }) => counterExamples.length === 0),
      }
    }
    return this.#offers.list
  }

  #caseOf(key: string): HeldCase {
    const held = this.#cases.find((one) => one.key === key)
    if (!held) throw new Error(`There is no ${key}.`)
    return held
  }

  #remember(held: HeldCase, number: string): void {
    const id = bareId(number)
    this.#patients.add(id)
    const pictures = held.pictures.map((picture) => ({ ...this.#evidenceOf(picture), hints: [] }))
    this.#termsOfPatient.set(
      id,
      new Set([...(this.#termsOfPatient.get(id) ?? []), ...termsIn(pictures, this.#memory)]),
    )
  }

  #learn(held: HeldCase, number: string): void {
    this.#remember(held, number)
    this.#shapes.add(shapeOf(number))
    for (const term of held.pictures.flatMap(({ paths }) => paths.flatMap(nameTermsInPath))) {
      const ids = this.#idsOfTerm.get(term) ?? new Set()
      this.#idsOfTerm.set(term, ids.add(bareId(number)))
    }
  }

  #arrivePicture({ path, atMs, mtimeMs }: FileEvent, content: Picture): void {
    const folded = foldPath(path)
    const uses = this.#usesOf.get(folded) ?? new Set()
    this.#usesOf.set(folded, uses.add(content.bytes))
    const known = this.#pictures.get(content.bytes) ?? this.#twinOf(path, content)
    const header = content.dicom === null ? [] : [{ path, header: content.dicom }]
    if (known) {
      if (!known.paths.includes(path)) known.paths.push(path)
      known.headers.push(...header)
      this.#pictures.set(content.bytes, known)
      if (isOpen(known.home)) this.#place(known)
      else this.#checkSent(known.home)
      return
    }
    const picture: HeldPicture = {
      id: content.bytes,
      photograph: content.photograph,
      paths: [path],
      headers: header,
      seenMs: atMs,
      mtimeMs,
      home: NOWHERE,
      eye: null,
    }
    this.#pictures.set(content.bytes, picture)
    const stem = stemKeyOf(path)
    this.#byStem.set(stem, [...(this.#byStem.get(stem) ?? []), picture])
    this.#place(picture)
    // Another picture of this name was here before: what was bound to the name is bound no more.
    if (uses.size > 1)
      for (const held of this.#cases)
        if (held.pictures.some(({ paths }) => paths.some((one) => foldPath(one) === folded)))
          this.#refresh(held)
  }

  /** A JPEG beside its DICOM file, if both show the same photograph. */
  #twinOf(path: string, content: Picture): HeldPicture | undefined {
    return this.#byStem.get(stemKeyOf(path))?.find(({ photograph }) => photograph === content.photograph)
  }

  #arriveData({ path }: FileEvent, { text }: DataFile): void {
    const reading = readDataFile(path, new TextEncoder().encode(text), DATA_OPTIONS)
    if (!reading.ok) return
    const before = this.#records.get(path) ?? []
    const patientOf = (held: HeldRecord): string => bareId(held.record.fields.history_number ?? '')
    const held = reading.records.map((record): HeldRecord => {
      const now: HeldRecord = { path, form: reading.form, record, hasHeldAnother: false }
      const isOther =
        reading.form !== 'table' &&
        before.some((one) => one.hasHeldAnother || patientOf(one) !== patientOf(now))
      return { ...now, hasHeldAnother: isOther }
    })
    // A row that is gone withdraws nothing.
    const rowOf = ({ record }: HeldRecord): string =>
      JSON.stringify([record.fields.history_number, record.fields.visit_date, record.files])
    const kept =
      reading.form === 'table' ? before.filter((one) => !held.some((now) => rowOf(now) === rowOf(one))) : []
    this.#records.set(path, [...held, ...kept])
    this.#past.set(path, [...(this.#past.get(path) ?? []), ...before])
    for (const one of this.#cases) {
      if (!isOpen(one)) this.#checkSent(one)
      else for (const picture of [...one.pictures]) this.#place(picture)
    }
  }

  /** Finds the case of a picture, or opens one. */
  #place(picture: HeldPicture): void {
    const group = this.#groupOf(picture)
    const { home } = picture
    if (home !== NOWHERE && (home.group === group || home.entered.historyNumber !== undefined)) {
      this.#touch(home)
      return
    }
    const found = this.#cases.findLast(
      (held) => held.group === group && held.pictures.length > 0 && this.#joins(held, picture),
    )
    const isLate = found !== undefined && !isOpen(found)
    const target = found !== undefined && isOpen(found) ? found : this.#open(group, isLate ? found.key : null)
    if (home !== NOWHERE) {
      home.pictures.splice(home.pictures.indexOf(picture), 1)
      home.shown = null
    }
    target.pictures.push(picture)
    picture.home = target
    this.#touch(target)
  }

  /** Loose pictures join only the burst that they belong to, and never a case whose number a person entered. */
  #joins(held: HeldCase, picture: HeldPicture): boolean {
    if (held.group.startsWith('patient')) return true
    if (held.entered.historyNumber !== undefined) return false
    if (!held.group.startsWith('loose')) return isOpen(held)
    if (!isOpen(held)) return false
    const timed = [...held.pictures, picture].map((one) => ({
      id: one.id,
      takenAt: one.mtimeMs,
      eye: this.#eyeOf(one),
    }))
    return (
      burstsOf(timed).length === 1 &&
      Math.abs(picture.mtimeMs - (held.pictures.at(-1)?.mtimeMs ?? 0)) <= BURST_GAP_MS
    )
  }

  #eyeOf(picture: HeldPicture): StatedEye | null {
    const verdict = verdictOnVisit([this.#evidenceOf(picture)], this.#memory).eyes.get(picture.id)
    return verdict ? valueIn(verdict) : null
  }

  #open(group: string, lateFor: string | null): HeldCase {
    const held: HeldCase = {
      key: `case ${this.#cases.length + 1}`,
      pictures: [],
      group,
      quietAt: 0,
      state: 'collecting',
      entered: {},
      enteredFor: new Set(),
      lateFor,
      shown: null,
    }
    this.#cases.push(held)
    return held
  }

  #touch(held: HeldCase): void {
    held.state = 'collecting'
    held.quietAt = this.#now + QUIET_MS
    held.shown = null
  }

  #refresh(held: HeldCase): void {
    if (isOpen(held)) this.#touch(held)
  }

  #groupOf(picture: HeldPicture): string {
    const evidence = this.#evidenceOf(picture)
    const group = groupOf({
      path: picture.paths.toSorted()[0] ?? '',
      ids: evidence.ids.map(({ value }) => value),
      study: evidence.link,
      instants: evidence.instants,
      isSharedFolder: (folder) => this.#isShared(folder),
    })
    const { day } = verdictOnVisit([evidence], this.#memory)
    const on = valueIn(day) ?? ''
    switch (group.kind) {
      case 'patient':
        return `patient ${group.core} ${on}`
      case 'conflict':
        return `conflict ${group.cores.join(' ')} ${on}`
      case 'study':
        return `study ${group.uid}`
      case 'folder':
        return `folder ${group.path} ${on}`
      case 'loose':
        return `loose ${group.path} ${on}`
    }
  }

  #isShared(folder: string): boolean {
    return (this.#patientsOfFolder.get(folder)?.size ?? 0) > 1
  }

  #evidenceOf(picture: HeldPicture): PictureEvidence {
    const { id, paths, headers, seenMs, mtimeMs } = picture
    const isReused = paths.some((path) => (this.#usesOf.get(foldPath(path))?.size ?? 0) > 1)
    const current = [...this.#records.values()].flat()
    const past = [...this.#past.values()]
      .flat()
      .filter((held) => isReused || this.#records.get(held.path)?.[0]?.hasHeldAnother)
    const bonds = [...current, ...past].flatMap((held) => {
      const path =
        paths.find((one) => bondOf(held, one, isReused) === 'bound') ??
        paths.find((one) => bondOf(held, one, isReused) === 'hint')
      return path === undefined ? [] : [{ held, path, bond: bondOf(held, path, isReused) }]
    })
    const bound = bonds.filter(({ bond }) => bond === 'bound').map(({ held }) => held)
    const hints = bonds.filter(({ bond }) => bond === 'hint').map(({ held }) => held)
    const proving = this.#confirmed.filter((profile) => provesFile(profile, seenMs))
    const readings = paths.map((path) => ({ path, found: readByConfirmed(proving, path) }))
    const read = readings.flatMap(({ path, found }) =>
      found.kind === 'proven' ? [{ path, reading: found.reading }] : [],
    )
    const ids = [
      ...read.map(({ path, reading: { historyNumber } }) => ({
        value: historyNumber.value,
        source: historyNumber.source,
        where: path,
      })),
      ...bound.flatMap(({ record, path }) => stated(record.fields.history_number, 'sidecar', path)),
      ...headers.flatMap(({ header, path }) => stated(header.patientId, 'dicom', path)),
    ]
    const people = [
      ...read.flatMap(({ path, reading: { lastName, firstName } }) =>
        lastName === null && firstName === null
          ? []
          : [
              {
                value: {
                  lastName: lastName?.value ?? null,
                  firstName: firstName?.value ?? null,
                  birthDate: null,
                  sex: null,
                },
                source: 'fileName' as const,
                where: path,
              },
            ],
      ),
      ...[...bound, ...hints].map(({ record, path }) => ({
        value: personOfRecord(record),
        source: 'sidecar' as const,
        where: path,
      })),
      ...headers.map(({ header, path }) => ({
        value: personOfHeader(header),
        source: 'dicom' as const,
        where: path,
      })),
    ]
    return {
      id,
      paths,
      ids,
      people,
      births: people.flatMap(({ value }) => value.birthDate ?? []),
      idHints: hints.flatMap(({ record, path }) => stated(record.fields.history_number, 'sidecar', path)),
      days: [
        ...read.flatMap(({ path, reading: { visitDate } }) =>
          visitDate ? [{ value: visitDate.value, source: visitDate.source, where: path }] : [],
        ),
        ...bound.flatMap(({ record, path }) => stated(record.fields.visit_date, 'sidecar', path)),
        ...headers.flatMap(({ header, path }) => stated(dayOf(header.studyDate), 'dicom', path)),
      ],
      dayHints: hints.flatMap(({ record, path }) => stated(record.fields.visit_date, 'sidecar', path)),
      eyes: [
        ...read.flatMap(({ path, reading: { eye } }) =>
          eye ? [{ value: eye.value, source: eye.source, where: path }] : [],
        ),
        ...bonds.flatMap(({ held, path }) =>
          eyesIn(held, path).map((value) => ({ value, source: 'sidecar' as const, where: held.path })),
        ),
        ...headers.flatMap(({ header, path }) =>
          [header.imageLaterality, header.laterality].flatMap((letter): Statement<StatedEye>[] =>
            letter === 'R' || letter === 'L'
              ? [{ value: letter === 'R' ? 'right' : 'left', source: 'dicom', where: path }]
              : [],
          ),
        ),
      ],
      link:
        headers.find(({ header }) => header.studyInstanceUid !== undefined)?.header.studyInstanceUid ?? null,
      isOverwritten: isReused || hints.some(({ hasHeldAnother }) => hasHeldAnother),
      isNamedByRecord: bound.some(({ record }) => record.files.length > 0),
      instants: [mtimeMs],
      seenOn: localDay(seenMs),
      fileDay: localDay(mtimeMs),
      takenAt: mtimeMs,
      doProfilesDiffer: readings.some(({ found }) => found.kind === 'disputed'),
      isReadByProfile: read.length === paths.length,
      profiles: [],
      isInSharedFolder: paths.some((path) => this.#isShared(folderOfVisit(path) ?? '')),
    }
  }

  /** The people that its sources name; those of a record under another number are others. */
  #peopleOf(picture: HeldPicture, number: string | null): readonly Person[] {
    const { people, ids, idHints } = this.#evidenceOf(picture)
    const isOther = (where: string): boolean => {
      const own = [...ids, ...idHints].filter((one) => one.where === where)
      return number !== null && own.length > 0 && own.every(({ value }) => bareId(value) !== bareId(number))
    }
    return people.filter(({ where }) => !isOther(where)).map(({ value }) => value)
  }

  #decide(held: HeldCase): VisitVerdict {
    return verdictOnVisit(
      held.pictures.map((picture) => this.#evidenceOf(picture)),
      this.#memory,
    )
  }

  #settle(held: HeldCase): void {
    const verdict = this.#decide(held)
    const before = held.state
    const needs = this.#clearance(held, verdict)
    held.state =
      needs === 'needsAnswer' || held.lateFor !== null
        ? 'incomplete'
        : needs === 'needsLook'
          ? 'review'
          : 'sentUnseen'
    held.shown = null
    if (held.state === 'sentUnseen' && before !== 'sentUnseen') {
      // As it was sent: what arrives later changes nothing of it.
      held.shown = this.#show(held)
      const number = valueIn(verdict.who)
      if (number !== null) this.#remember(held, number)
    }
    this.#noteFolders(held, verdict)
  }

  /** What is left to ask after a person's answers. */
  #clearance(held: HeldCase, verdict: VisitVerdict): ReturnType<typeof clearanceOf> {
    const { entered, enteredFor } = held
    const isAll = held.pictures.every(({ id }) => enteredFor.has(id))
    const answered = (kind: string, isAnswered: boolean): string => (isAnswered && isAll ? 'proposed' : kind)
    const kinds = [
      answered(verdict.who.kind, entered.historyNumber !== undefined),
      answered(verdict.day.kind, entered.visitDate !== undefined),
      answered(verdict.together.kind, entered.historyNumber !== undefined),
      ...[...verdict.eyes].map(([id, { kind }]) => (entered.eyes?.[id] === undefined ? kind : 'proposed')),
    ]
    if (kinds.some((kind) => kind === 'disputed' || kind === 'unknown')) return 'needsAnswer'
    return kinds.includes('proposed') ? 'needsLook' : 'mayLeaveUnseen'
  }

  #noteFolders(held: HeldCase, verdict: VisitVerdict): void {
    const number = held.entered.historyNumber ?? valueIn(verdict.who)
    if (number === null) return
    for (const folder of held.pictures.map(({ paths }) => folderOfVisit(paths[0] ?? ''))) {
      if (folder === null) continue
      this.#patientsOfFolder.set(
        folder,
        (this.#patientsOfFolder.get(folder) ?? new Set()).add(bareId(number)),
      )
    }
  }

  /** Something arrived about a case that was sent: what contradicts it is an alarm. */
  #checkSent(held: HeldCase): void {
    if (held.pictures.length === 0 || held.shown === null) return
    const verdict = this.#decide(held)
    const isOther = (now: string | null, sent: string | null): boolean =>
      now !== null && sent !== null && bareId(now) !== bareId(sent)
    const isContradicted =
      verdict.who.kind === 'disputed' ||
      isOther(valueIn(verdict.who), held.shown.historyNumber) ||
      isOther(valueIn(verdict.day), held.shown.visitDate) ||
      [...verdict.eyes.values()].some(({ kind }) => kind === 'disputed')
    if (isContradicted)
      this.#notes.push({
        text: `${held.key} may be of another patient.`,
        path: null,
        bytes: null,
        caseKey: held.key,
      })
  }

  #show(held: HeldCase): ExaminedCase {
    const verdict = this.#decide(held)
    const { entered } = held
    const number = entered.historyNumber ?? valueIn(verdict.who)
    const people = held.pictures.flatMap((picture) => this.#peopleOf(picture, number))
    const [person] = people
    const agreed = <Key extends 'birthDate' | 'sex'>(key: Key): Person[Key] | null =>
      new Set(people.flatMap((one) => one[key] ?? [])).size === 1
        ? (people.find((one) => one[key] !== null)?.[key] ?? null)
        : null
    const sex = agreed('sex')
    return {
      key: held.key,
      state: held.state,
      historyNumber: number,
      lastName: entered.lastName ?? person?.lastName ?? null,
      firstName: entered.firstName ?? person?.firstName ?? null,
      birthDate: agreed('birthDate'),
      gender: sex === 'F' || sex === 'M' ? sex : null,
      visitDate: entered.visitDate ?? valueIn(verdict.day),
      pictures: held.pictures.map(({ id, paths }) => {
        const eye = verdict.eyes.get(id)
        return {
          path: paths[0] ?? '',
          bytes: id,
          eye: entered.eyes?.[id] ?? (eye ? valueIn(eye) : null) ?? 'unknown',
        }
      }),
      reasons: reasonsOf(verdict, held),
      verdicts: verdict,
    }
  }
}

function isOpen({ state }: HeldCase): boolean {
  return state === 'collecting' || state === 'incomplete' || state === 'review'
}

const NOWHERE: HeldCase = {
  key: '',
  pictures: [],
  group: '',
  quietAt: 0,
  state: 'collecting',
  entered: {},
  enteredFor: new Set(),
  lateFor: null,
  shown: null,
}

function reasonsOf({ who, day, eyes, together }: VisitVerdict, held: HeldCase): ExaminedReason[] {
  const asks = (kind: string): boolean => kind === 'disputed' || kind === 'unknown'
  const reasons: ExaminedReason[] = []
  if (asks(who.kind) && held.entered.historyNumber === undefined)
    reasons.push({ kind: who.kind, text: JSON.stringify(who), about: ['who', 'belonging'] })
  else if (who.kind === 'proposed') reasons.push({ kind: who.why, text: who.about ?? '', about: [] })
  if (asks(day.kind)) reasons.push({ kind: day.kind, text: JSON.stringify(day), about: ['day'] })
  else if (day.kind === 'proposed') reasons.push({ kind: day.why, text: '', about: [] })
  if (together.kind === 'unknown')
    reasons.push({ kind: together.why, text: 'How many patients?', about: ['who', 'belonging'] })
  for (const [id, eye] of eyes)
    if (asks(eye.kind)) reasons.push({ kind: eye.kind, text: `${id} ${JSON.stringify(eye)}`, about: ['eye'] })
  if (held.lateFor !== null) reasons.push({ kind: 'lateImage', text: held.lateFor, about: ['belonging'] })
  return reasons
}

function stated(
  value: string | null | undefined,
  source: 'sidecar' | 'dicom',
  where: string,
): Statement<string>[] {
  return value === undefined || value === null || value.trim() === ''
    ? []
    : [{ value: value.trim(), source, where }]
}

function personOfRecord({ fields, birthDate }: HeldRecord['record']): Person {
  const { last_name: lastName = null, first_name: firstName = null, gender } = fields
  return { lastName, firstName, birthDate, sex: gender === undefined ? null : gender === 1 ? 'F' : 'M' }
}

function personOfHeader({ patientName, birthDate, sex }: DicomHeader): Person {
  const [lastName, firstName] = (patientName ?? '').split('^')
  return {
    lastName: lastName || null,
    firstName: firstName || null,
    birthDate: dayOf(birthDate),
    sex: sex ?? null,
  }
}

function dayOf(date: string | undefined): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(date ?? '')
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null
}

function localDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}
