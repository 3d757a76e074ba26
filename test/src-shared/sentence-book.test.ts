import { fc, runs } from '../tools/property.ts'
import { expect, test } from 'vitest'
import spanish from '../../src-shared/texts/es/station.json' with { type: 'json' }
import { SentenceBook } from '../../src-shared/sentence-book.ts'

const BOOK = new SentenceBook(spanish)

test.each([
  ['a title, where it stands alone', 'Not found', 'No encontrado'],
  ['a title within other words stays', 'Not found at all', 'Not found at all'],
  [
    'a sentence with the name of a field',
    'The history number is missing. Enter it.',
    'Falta este dato: número de historia. Introdúzcalo.',
  ],
  [
    'several sentences in one message',
    'The history number is missing. Enter it. The OS IOP of 200 is not possible (0 to 99). Correct it or clear it.',
    'Falta este dato: número de historia. Introdúzcalo. Este valor no es posible (0 a 99): PIO OI, 200. Corríjalo o bórrelo.',
  ],
  [
    'the longer of two sentences that begin alike',
    'There is no image of the left eye (OS). Take one, or say why there is none.',
    'No hay ninguna imagen del ojo izquierdo (OI). Tome una, o indique por qué no la hay.',
  ],
  [
    'the shorter one',
    'There is no image of the left eye (OS).',
    'No hay ninguna imagen del ojo izquierdo (OI).',
  ],
  [
    'a reason in brackets',
    'New images are not seen until it is back; cases already here go on. Check the drive or the network share. (The folder is not there. Check that the drive or the network share is connected.)',
    'Las imágenes nuevas no se ven hasta que vuelva; los casos que ya están aquí continúan. Compruebe la unidad o el recurso de red. (La carpeta no está allí. Compruebe que la unidad o el recurso de red están conectados.)',
  ],
  [
    'sentences within a sentence',
    'In the patient list: 3 history numbers stand beside different people and are not used; correct them in the list. 4 rows have no history number that can be used.',
    'En la lista de pacientes: 3 números de historia aparecen junto a personas distintas y no se usan; corríjalos en la lista. 4 filas no tienen ningún número de historia que se pueda usar.',
  ],
  [
    'sources that disagree, with the eyes in Spanish',
    'The sources disagree about the eye of an image (file name: OD, data file: OS). Say which eye it is.',
    'Las fuentes no coinciden sobre el ojo de una imagen (nombre del archivo: OD, archivo de datos: OI). Indique qué ojo es.',
  ],
  [
    'data that came late, with what they say',
    'It came when the sending of FC2131MF6DK had begun already, and says otherwise: OD IOP, OS visual acuity, eyes. Nothing was changed there. Correct the case if that is still possible; otherwise tell the reading service.',
    'Llegó cuando el envío de FC2131MF6DK ya había empezado, y dice otra cosa: PIO OD, agudeza visual OI, ojos. Allí no se cambió nada. Corrija el caso si todavía es posible; si no, avise al servicio de lectura.',
  ],
  [
    'a patient with the name OS keeps it',
    'The sources disagree about the last name (image: OS, data file: García, Ana). Enter the right one.',
    'Las fuentes no coinciden sobre este dato: apellidos (imagen: OS, archivo de datos: García, Ana). Introduzca el correcto.',
  ],
  [
    'a picture of DICOM that is not shown',
    'The picture in this DICOM file is packed as JPEG-LS, so it cannot be shown or made a picture here. The file itself is kept. Set the camera to export JPEG, or DICOM with JPEG or without compression.',
    'Problema con la imagen de este archivo DICOM: comprimida como JPEG-LS, por lo que no se puede mostrar ni convertir en imagen aquí. El propio archivo se conserva. Configure la cámara para exportar JPEG, o DICOM con JPEG o sin compresión.',
  ],
  [
    'a DICOM file without a picture',
    'This DICOM file holds no picture, so it cannot be shown or made a picture here. The file itself is kept. Set the camera to export JPEG, or DICOM with JPEG or without compression.',
    'Este archivo DICOM no contiene ninguna imagen, por lo que no se puede mostrar ni convertir en imagen aquí. El propio archivo se conserva. Configure la cámara para exportar JPEG, o DICOM con JPEG o sin compresión.',
  ],
  ['what nobody knows stays', 'The lamp is out. Nothing was changed.', 'The lamp is out. No se cambió nada.'],
  ['nothing', '', ''],
])('%s', (_what, english, expected) => {
  expect(BOOK.translate(english)).toBe(expected)
})

/** Values as files, numbers and names have them. */
const VALUE = fc
  .oneof(
    fc.stringMatching(/^[\p{L}\p{N} ._()/:-]{1,30}$/u),
    fc.string({ minLength: 1, maxLength: 30 }),
    fc
      .tuple(fc.stringMatching(/^\d{1,8}$/), fc.constantFrom('.jpg', '.dcm', ' (1).tif'))
      .map((pair) => pair.join('')),
  )
  .filter((value) => value.trim() !== '')

/** Places whose value is written as it is. */
const VERBATIM = Object.entries(spanish.sentences).filter(
  ([english, translation]) => english.includes('{{') && !translation.includes('|'),
)

test('no parameter is lost or changed, whatever it holds', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VERBATIM), fc.tuple(VALUE, VALUE, VALUE), ([english], values) => {
      const message = english.replaceAll(
        /\{\{(\d)\}\}/g,
        (_place, number: string) => values[Number(number) - 1] ?? '',
      )
      const translated = BOOK.translate(message)
      // A value that is itself a sentence of the station is the one thing that reads as one.
      const count = [...english.matchAll(/\{\{(\d)\}\}/g)].length
      for (const value of values.slice(0, count)) expect(translated).toContain(value.trim())
    }),
    { numRuns: runs(2_000) },
  )
})

test('a message that is no sentence of the station stays as it is, to the last letter', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\p{Ll}\p{N} ,;\n-]{0,200}$/u), (message) => {
      expect(BOOK.translate(message)).toBe(message)
    }),
  )
})

test('nothing is ever blank that was not', () => {
  fc.assert(
    fc.property(fc.string(), (message) => {
      expect(BOOK.translate(message).trim() === '').toBe(message.trim() === '')
    }),
  )
})
