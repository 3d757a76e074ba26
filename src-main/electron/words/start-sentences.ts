/**
 * What the station says before there are screens that could translate it, in Spanish by its English: why it cannot be
 * opened, and what a recovery has done. What is said once the screens are there stands in their own book.
 */
import { SentenceBook } from '../../../src-shared/sentence-book.ts'
import type { HostLanguage } from './host-language.ts'

const spanish = new SentenceBook({
  sentences: {
    'Nothing was sent.': 'No se envió nada.',
    'Nothing was sent. It can be built anew from its last backup and from the notes that lie beside the images.':
      'No se envió nada. Se puede reconstruir a partir de su última copia de seguridad y de las notas que acompañan a las imágenes.',
    'The outbox file is damaged, and was left as it is.':
      'El archivo de la bandeja de salida está dañado, y se dejó como estaba.',
    'The outbox of this station is missing, although the station was used before.':
      'Falta la bandeja de salida de esta estación, aunque la estación ya se usó antes.',
    'The outbox file is damaged or is not one of ours, and was left as it is.':
      'El archivo de la bandeja de salida está dañado o no es nuestro, y se dejó como estaba.',
    'Another Fundus Courier already works with this data folder. Use that one, or stop it first.':
      'Otro Fundus Courier ya trabaja con esta carpeta de datos. Use ese, o deténgalo primero.',
    'There is no space left on the disk of the data folder, so the outbox cannot be opened. All cases are kept; free some space and start again.':
      'No queda espacio en el disco de la carpeta de datos, por lo que no se puede abrir la bandeja de salida. Todos los casos se conservan; libere espacio e inicie de nuevo.',
    'The disk of the data folder failed while the outbox was read or written. It was left as it is; check the disk before the next start, and tell the administrator.':
      'El disco de la carpeta de datos falló al leer o escribir la bandeja de salida. Se dejó como estaba; compruebe el disco antes del próximo inicio, y avise al administrador.',
    'The outbox in the data folder may not be read and written by this account, so nothing can be sent. Give this account the right to change the files there, and start again.':
      'Esta cuenta no puede leer ni escribir la bandeja de salida de la carpeta de datos, por lo que no se puede enviar nada. Dé a esta cuenta el derecho de modificar los archivos de allí, e inicie de nuevo.',
    'Another program, such as a virus scanner or a synchroniser, holds the outbox file. Nothing was sent, and nothing was changed. Start again in a minute; if it happens again, except the data folder from that program.':
      'Otro programa, como un antivirus o un sincronizador, retiene el archivo de la bandeja de salida. No se envió nada y no se cambió nada. Inicie de nuevo dentro de un minuto; si vuelve a suceder, excluya la carpeta de datos de ese programa.',
    'This computer has too little memory, or too many files open, to open the outbox. Nothing was sent, and the outbox was left as it is. Close other programs and start again.':
      'Este equipo tiene muy poca memoria, o demasiados archivos abiertos, para abrir la bandeja de salida. No se envió nada, y la bandeja de salida se dejó como estaba. Cierre otros programas e inicie de nuevo.',
    'The outbox file cannot be used now, and was left as it is. Nothing was sent. Start again; if it happens again, tell the administrator.':
      'El archivo de la bandeja de salida no se puede usar ahora, y se dejó como estaba. No se envió nada. Inicie de nuevo; si vuelve a suceder, avise al administrador.',
    'The outbox could not be made durable ({{1}} is {{2}}). Check the disk and restart.':
      'No se pudo asegurar que la bandeja de salida quede guardada ({{1}} es {{2}}). Compruebe el disco y reinicie.',
    'This program was built with a database that may damage its file, so it does not start. Nothing was changed; install Fundus Courier again.':
      'Este programa contiene una base de datos que puede dañar su archivo, por lo que no se inicia. No se cambió nada; instale Fundus Courier de nuevo.',
    'The backup that is made before the outbox is brought to this version could not be made.':
      'No se pudo hacer la copia de seguridad que se hace antes de pasar la bandeja de salida a esta versión.',
    'The outbox could not be brought to this version.':
      'No se pudo pasar la bandeja de salida a esta versión.',
    'All cases are as they were, and the outbox was not changed.':
      'Todos los casos están como estaban, y la bandeja de salida no se cambió.',
    'There is no space left on the disk. Free some space and start again.':
      'No queda espacio en el disco. Libere espacio e inicie de nuevo.',
    'Check the disk of the data folder and start again; if it happens again, install the version before and tell the administrator.':
      'Compruebe el disco de la carpeta de datos e inicie de nuevo; si vuelve a suceder, instale la versión anterior y avise al administrador.',
    'This data folder was written by a newer Fundus Courier. Install that version again; nothing was changed.':
      'Esta carpeta de datos la escribió un Fundus Courier más nuevo. Instale de nuevo esa versión; no se cambió nada.',
    'The station file in the data folder cannot be read.':
      'No se puede leer el archivo de la estación en la carpeta de datos.',
    'The settings in the data folder (settings.json) cannot be read. Restore the file from a backup, or remove it and enter the settings again.':
      'No se pueden leer los ajustes de la carpeta de datos (settings.json). Restaure el archivo de una copia de seguridad, o elimínelo e introduzca los ajustes de nuevo.',
    'The disk of this computer is full, so the station cannot start. Nothing is lost, and nothing was sent. Free some space and start again.':
      'El disco de este equipo está lleno, por lo que la estación no puede iniciarse. No se perdió nada ni se envió nada. Libere espacio e inicie de nuevo.',
    'The disk of the data folder fails, so the station cannot start. Nothing was sent. Check the disk; restore the data folder from a backup if it is damaged.':
      'El disco de la carpeta de datos falla, por lo que la estación no puede iniciarse. No se envió nada. Compruebe el disco; restaure la carpeta de datos de una copia de seguridad si está dañada.',
    'The outbox is sound, so it was left as it is.':
      'La bandeja de salida está sana, por lo que se dejó como estaba.',
    'There is nothing to recover from in this data folder: the station begins with an empty outbox.':
      'En esta carpeta de datos no hay nada de lo que recuperar: la estación empieza con una bandeja de salida vacía.',
    'The station file could not be read and was set aside as {{1}}.':
      'No se pudo leer el archivo de la estación y se apartó como {{1}}.',
    'There was no outbox any more.': 'Ya no había bandeja de salida.',
    'The outbox that was there was set aside as {{1}}; nothing of it was deleted.':
      'La bandeja de salida que había se apartó como {{1}}; no se borró nada de ella.',
    'The backup {{1}} could not be used.': 'La copia de seguridad {{1}} no se pudo usar.',
    'There was no backup to build on, so the outbox was built of the notes beside the images alone.':
      'No había copia de seguridad de la que partir, por lo que la bandeja de salida se reconstruyó solo con las notas que acompañan a las imágenes.',
    'The outbox was built on the backup {{1}}.':
      'La bandeja de salida se reconstruyó a partir de la copia de seguridad {{1}}.',
    '{{1}} added and {{2}} brought up to date from the notes beside the images.':
      'Con las notas que acompañan a las imágenes: casos añadidos, {{1|part}}; casos actualizados, {{2|part}}.',
    '{{1}} damaged and set aside. Where only their images are known, the case shows no patient: compare it with the service.':
      'Notas dañadas y apartadas: {{1|part}}. Donde solo se conocen sus imágenes, el caso no muestra paciente: compárelo con el servicio.',
    '{{1}} beside the images could not be read, and what only they know is not known. Nothing was changed there: check the disk and the rights of the data folder, and compare the cases of the last days with the service.':
      'Notas junto a las imágenes que no se pudieron leer: {{1|part}}; lo que solo ellas saben no se conoce. No se cambió nada allí: compruebe el disco y los derechos de la carpeta de datos, y compare los casos de los últimos días con el servicio.',
    'The files of {{1}} not there any more. Their cases are kept and cannot be sent again.':
      'Imágenes cuyos archivos ya no están: {{1|part}}. Sus casos se conservan y no se pueden enviar de nuevo.',
    '{{1}} found that no case names. They were left where they are.':
      'Archivos copiados que ningún caso nombra: {{1|part}}. Se dejaron donde están.',
    'All cases are known as sent or discarded.': 'Consta que todos los casos fueron enviados o descartados.',
    '{{1}} not known as sent. The station looks for them at the service, and none goes again without evidence: see "Check delivery".':
      'Casos de los que no consta el envío: {{1|part}}. La estación los busca en el servicio, y ninguno se envía de nuevo sin pruebas: vea «Entrega dudosa».',
  },
  parts: {
    '1 case was': '1',
    '{{1}} cases were': '{{1}}',
    '1 note was': '1',
    '{{1}} notes were': '{{1}}',
    '1 note': '1',
    '{{1}} notes': '{{1}}',
    '1 image are': '1',
    '{{1}} images are': '{{1}}',
    '1 copied file was': '1',
    '{{1}} copied files were': '{{1}}',
    '1 case is': '1',
    '{{1}} cases are': '{{1}}',
  },
})

/** A message of a station that is not open, in this language; what of it nobody has translated stays English. */
export function saidAtStart(message: string, language: HostLanguage): string {
  return language === 'es' ? spanish.translate(message) : message
}
