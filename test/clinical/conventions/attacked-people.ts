/** Two people who look like one, eyes that were not changed at the camera, and confirmed names that are used otherwise. */
import {
  eachShotOfStudy,
  type Convention,
  type Folder,
  other,
  PROOF,
  READ,
  type Style,
  trap,
} from '../convention.ts'
import { drawSpelling, treeOf } from '../documents.ts'
import type { Draw } from '../draw.ts'
import { drawForm } from '../exams.ts'
import { clock, compactDay, drawNotation } from '../notation.ts'
import { drawBirthDate, drawPerson, drawStranger } from '../people.ts'
import { dicomHeader, type Statements, statementsOf, uid } from '../sources.ts'
import type { Facts, Person, Shot, Visit } from '../world.ts'

type Carrier = 'DICOM' | 'documents'

/** Writes what each shot states, in DICOM or in documents beside silent names. */
function writerOf(draw: Draw, carrier: Carrier) {
  const spelling = drawSpelling(draw)
  const form = drawForm(draw)
  return (visit: Visit, folder: Folder, says: (shot: Shot) => Statements, facts: Partial<Facts>): void => {
    const study = uid(folder.draw)
    for (const shot of visit.shots) {
      const stem = folder.draw.uuid()
      if (carrier === 'DICOM')
        folder.picture(visit, shot, `${stem}.dcm`, {
          facts,
          dicom: dicomHeader(folder.draw, says(shot), study),
        })
      else {
        folder.picture(visit, shot, `${stem}.jpg`, { facts })
        folder.data(`${stem}.${form.extension}`, form.text(treeOf(spelling, says(shot))), shot.atMs + 900)
      }
    }
  }
}

/** First names of two people, of whom one is the other's with an ending. */
const ENDINGS = [
  ['Paul', 'Paula'],
  ['Mario', 'Maria'],
  ['Andre', 'Andrea'],
  ['Jan', 'Jana'],
  ['Christian', 'Christiane'],
  ['Julio', 'Julia'],
  ['Alexander', 'Alexandra'],
  ['Rob', 'Robert'],
  ['Louis', 'Louise'],
  ['Daniel', 'Daniela'],
  ['Francisco', 'Francisca'],
  ['Jon', 'Jonas'],
  ['Eva', 'Evan'],
  ['Karl', 'Karla'],
] as const

/** Brother and sister under one number: the camera was not changed, or the number was mistyped. */
function endings(carrier: Carrier): Convention {
  return trap(`two first names of one stem under one number, in ${carrier}`, (draw): Style => {
    const write = writerOf(draw, carrier)
    const length = draw.style([6, 7, 8])
    const hasMore = draw.style([true, false])
    const gap = draw.style([
      [4, 12],
      [20, 50],
    ] as const)
    return {
      facts: PROOF,
      isOneDay: true,
      minutesBetween: gap,
      person: (draw, index, earlier): Person => {
        const before = earlier.at(-1)?.person
        if (index % 2 === 1 && before) {
          const pair = ENDINGS.find((names) => names.some((name) => name === before.first))!
          const first = pair.find((name) => name !== before.first)!
          return {
            ...before,
            first,
            birthDate: drawBirthDate(draw, 1931, 1998),
            sex: before.sex === 'F' ? 'M' : 'F',
          }
        }
        const person = drawPerson(draw, draw.digits(length))
        return { ...person, first: draw.pick(draw.pick(ENDINGS)) }
      },
      write: (visit, folder) => {
        const says = (shot: Shot): Statements => {
          const states = statementsOf(visit, shot.eye)
          return hasMore ? states : { ...states, birthDate: null, sex: null }
        }
        write(visit, folder, says, visit.index % 2 === 1 ? { who: 'disputed' } : {})
      },
    }
  })
}

/** The eye was not changed at the camera: both photographs state one eye. The first visits of the folder hold both. */
function oneEyeTwice(carrier: Carrier): Convention {
  return trap(`two images of one eye, in ${carrier}`, (draw): Style => {
    const write = writerOf(draw, carrier)
    const perEye = draw.style([1, 2])
    const share = draw.style([0.5, 0.9])
    return {
      facts: PROOF,
      perEye: [perEye, perEye],
      oneEyed: 0,
      write: (visit, folder) => {
        const isStuck = visit.index >= 3 && folder.draw.chance(share)
        const first = visit.shots[0]!.eye
        const says = (shot: Shot): Statements => statementsOf(visit, isStuck ? first : shot.eye)
        write(visit, folder, says, isStuck ? { eye: 'weak' } : {})
      },
    }
  })
}

/** Both eyes twice under one number within minutes, and nothing names a person: it may be the next patient. */
function twiceWithinMinutes(carrier: Carrier): Convention {
  return trap(`one number twice within minutes, in ${carrier}`, (draw): Style => {
    const write = writerOf(draw, carrier)
    const length = draw.style([6, 7, 8])
    const gap = draw.style([
      [4, 8],
      [9, 15],
    ] as const)
    const isNext = draw.style([true, true, false])
    let written = ''
    return {
      facts: PROOF,
      isOneDay: true,
      minutesBetween: gap,
      oneEyed: 0,
      perEye: [1, 1],
      secondsBetween: [6, 20],
      person: (draw, index, earlier) => {
        const last = earlier.at(-1)?.person
        if (index % 3 !== 1 || !last) return drawPerson(draw, draw.digits(length))
        return isNext ? drawStranger(draw, last, draw.digits(length)) : last
      },
      write: (visit, folder) => {
        const isSecond = visit.index % 3 === 1
        if (!isSecond) written = visit.person.id
        const bare = { id: written, last: null, first: null, birthDate: null, sex: null }
        const says = (shot: Shot): Statements => ({ ...statementsOf(visit, shot.eye), ...bare })
        write(visit, folder, says, isSecond ? { who: 'weak' } : {})
      },
    }
  })
}

const COMMON = ['Garcia', 'Schmidt', 'Nguyen', 'Smith', 'Rossi', 'Martin', 'Silva', 'Jansen', 'Kim'] as const

/** A surname that many patients have is no ward: later a folder of that name holds another person's DICOM files. */
const commonSurname = trap('a common surname that came to be known', (draw): Style => {
  const surname = draw.style(COMMON)
  const length = draw.style([6, 7])
  const form = draw.style([
    (last: string, unique: string) => `${last}/${unique}`,
    (last: string, unique: string) => `${last}_${unique}`,
    (last: string, unique: string) => `${last.toUpperCase()}/x${unique}`,
  ])
  return {
    facts: PROOF,
    person: (draw, index) => {
      const person = drawPerson(draw, draw.digits(length))
      return index < 4 ? { ...person, last: surname } : person
    },
    write: (visit, folder) => {
      const study = uid(folder.draw)
      const isFalse = visit.person.last !== surname
      for (const shot of visit.shots)
        folder.picture(visit, shot, `${form(surname, folder.draw.uuid())}.dcm`, {
          dicom: dicomHeader(folder.draw, statementsOf(visit, shot.eye), study),
          facts: isFalse ? { who: 'disputed' } : {},
        })
    },
  }
})

/** Another photograph with the eye's own number counted on: an eye of `case`-like order is no statement. */
const otherEyeInSecond = trap('a second source that states the other eye of one image', (draw): Style => {
  const spelling = drawSpelling(draw)
  const form = drawForm(draw)
  const share = draw.style([0.4, 0.8])
  return {
    facts: PROOF,
    write: eachShotOfStudy((visit, shot, folder, study) => {
      const stem = folder.draw.uuid()
      const isFalse = folder.draw.chance(share)
      const eye = isFalse ? other(shot.eye) : shot.eye
      folder.picture(visit, shot, `${stem}.dcm`, {
        dicom: dicomHeader(folder.draw, statementsOf(visit, shot.eye), study),
        facts: isFalse ? { eye: 'disputed' } : {},
      })
      const tree = treeOf(spelling, { ...statementsOf(visit, eye), id: null, last: null, first: null })
      folder.data(`${stem}.${form.extension}`, form.text(tree), shot.atMs + 700)
    }),
  }
})

/** Visits that only come after a profile could have been confirmed. */
const AFTER = 42
const ATTACKED = 0.3

type Names = (visit: Visit, shot: Shot, isAttacked: boolean) => string

/**
 * Names that a person confirms, and that are written otherwise later. Half of the later patients were here before, so that
 * a number in the position of another is one that the clinic knows.
 */
function confirmed(
  name: string,
  namesOf: (draw: Draw) => Names,
  facts: Partial<Facts>,
  needs: (visit: Visit, earlier: readonly Visit[]) => boolean = () => true,
  length: readonly number[] = [6, 7],
): Convention {
  return trap(
    name,
    (draw): Style => {
      const names = namesOf(draw)
      const digits = draw.style(length)
      const n = drawNotation(draw)
      const share = draw.style([ATTACKED, ATTACKED / 2])
      const earlier: Visit[] = []
      return {
        facts: READ,
        oneEyed: 0,
        person: (draw, index, before) => {
          const last = index < AFTER || draw.chance(0.5) ? null : before[draw.int(0, before.length - 6)]!
          if (last) return last.person
          let number = draw.digits(digits)
          // Behind a day any reader takes 100936 for a time.
          while (CLOCK.test(number)) number = draw.digits(digits)
          return drawPerson(draw, number)
        },
        write: (visit, folder) => {
          const isAttacked = visit.index >= AFTER && folder.draw.chance(share) && needs(visit, earlier)
          earlier.push(visit)
          for (const shot of visit.shots)
            folder.picture(
              visit,
              shot,
              `${names(visit, shot, isAttacked)}_${n.eye(shot.eye)}_${shot.ofEye}${n.extension}`,
              {
                facts: isAttacked ? facts : {},
              },
            )
        },
      }
    },
    { handsFree: 'with profile' },
  )
}

const CLOCK = /^([01]\d|2[0-3])[0-5]\d[0-5]\d$/

/** Twice at least: at one of these visits something else may have gone wrong with the number. */
const wasHere = ({ person, day }: Visit, earlier: readonly Visit[]): boolean =>
  earlier.filter((visit) => visit.person.id === person.id && visit.day !== day).length > 1

/** The exam's number, as long as the patient's. */
const examNumber = (visit: Visit): string => {
  const width = visit.person.id.length
  return String(4 * 10 ** (width - 1) + 1_013 + visit.index * 17)
}

const exchangedParts = confirmed(
  'confirmed names whose numbers change places',
  (draw) => {
    const label = draw.style(['ACC', 'E', 'Exam'])
    const layout = draw.style([
      (one: string, two: string, day: string) => `${one}_${label}${two}/${one}_${day}`,
      (one: string, two: string, day: string) => `${one}/${label}${two}_${day}`,
      (one: string, two: string, day: string) => `${one}_${day}_${label}${two}`,
    ])
    return (visit, _shot, isAttacked) => {
      const [id, exam] = [visit.person.id, examNumber(visit)]
      return layout(isAttacked ? exam : id, isAttacked ? id : exam, compactDay(visit.day))
    }
  },
  { who: 'weak' },
  wasHere,
)

const timeForNumber = confirmed(
  'confirmed names with the time for the number',
  (draw) => {
    const layout = draw.style([
      (id: string, day: string, time: string) => `${id}_${day}_${time}`,
      (id: string, day: string, time: string) => `${id}/${day}/${time}`,
      (id: string, day: string, time: string) => `${id}_${day}/${id}_${time}`,
    ])
    return (visit, shot, isAttacked) => {
      const first = visit.shots[0]!
      return layout(isAttacked ? clock(first.atMs) : visit.person.id, compactDay(visit.day), clock(shot.atMs))
    }
  },
  { who: 'hidden' },
  () => true,
  [6],
)

/** Any reader knows which of the two is a birth date, and nothing else may be taken for the day of the visit. */
const birthForDay = confirmed(
  'confirmed names whose days change places',
  (draw) => {
    const layout = draw.style([
      (id: string, birth: string, day: string) => `${id}_${birth}_${day}`,
      (id: string, birth: string, day: string) => `${id}_${birth}/${day}`,
      (id: string, birth: string, day: string) => `${birth}_${id}_${day}`,
    ])
    return (visit, _shot, isAttacked) => {
      const [birth, day] = [compactDay(visit.person.birthDate), compactDay(visit.day)]
      return layout(visit.person.id, isAttacked ? day : birth, isAttacked ? birth : day)
    }
  },
  {},
)

/** The last patient's number under the new one's name. */
const nameOfAnother = confirmed(
  'confirmed names with the number of an earlier patient',
  (draw) => {
    const layout = draw.style([
      (id: string, { last, first }: Person, day: string) => `${last}_${first}_${id}_${day}`,
      (id: string, { last, first }: Person, day: string) => `${id}_${last}_${first}/${id}_${day}`,
      (id: string, { last }: Person, day: string) => `${last}_${id}_${day}`,
    ])
    const known: Person[] = []
    let number = ''
    return (visit, shot, isAttacked) => {
      if (shot.number === 1) {
        const stranger = known.find(({ last, id }) => last !== visit.person.last && id !== visit.person.id)
        number = stranger?.id ?? visit.person.id
        known.push(visit.person)
      }
      return layout(isAttacked ? number : visit.person.id, visit.person, compactDay(visit.day))
    }
  },
  { who: 'disputed' },
)

export const attackedPeople: readonly Convention[] = [
  endings('DICOM'),
  endings('documents'),
  oneEyeTwice('DICOM'),
  oneEyeTwice('documents'),
  twiceWithinMinutes('DICOM'),
  twiceWithinMinutes('documents'),
  commonSurname,
  otherEyeInSecond,
  exchangedParts,
  timeForNumber,
  birthForDay,
  nameOfAnother,
]
