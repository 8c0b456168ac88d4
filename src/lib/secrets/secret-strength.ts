/** Of documentation and templates, with six letters or more, which are unlikely in random secrets. */
const knownPhrases = [
  ...['secret', 'passwor', 'passphrase', 'changeme', 'changeit', 'changethis', 'replaceme', 'replacethis', 'fillme'],
  ...['example', 'default', 'placeholder', 'letmein', 'iloveyou', 'keyboardcat', 'correcthorse', 'quickbrown'],
  ...[
    'loremipsum',
    'tobeornot',
    'hunter2',
    'insertyour',
    'yourkey',
    'yourjwt',
    'yourtoken',
    'signingkey',
    'privatekey',
  ],
  ...['jwtkey', 'jwttoken', 'accesstoken', 'authtoken', 'development', 'localdev', 'production', 'staging', 'testtest'],
  ...['donotuse', 'insecure', 'notsecure', 'administrator', 'adminadmin', 'studytrack', 'helloworld'],
  ...['dontshare', 'supersecure', 'mustbeatleast', 'thisisa', 'todotodo', 'security', 'foobar', 'welcome'],
];

const rows = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./', '!@#$%^&*()_+'];
const columns = ['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/', '1q2w3e4r5t6y7u8i9o0p', 'zaq1xsw2cde3vfr4bgt5nhy6mju7'];
const neighbours = new Set(
  [...rows, ...columns].flatMap((keys) =>
    [...keys].slice(1).flatMap((key, index) => [`${keys[index]}${key}`, `${key}${keys[index]}`]),
  ),
);

const substitutions: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** Whether a secret contains a known phrase or pattern, or too little variety for its length. */
export function isGuessable(secret: string): boolean {
  return [secret, ...decoded(secret)].some((text) => hasKnownPhrase(text) || estimateBits(text) < requiredBits(secret));
}

/** 32 random hexadecimal digits have twice the 48 bits. */
function requiredBits(secret: string): number {
  return secret.length < 32 ? secret.length : 48;
}

function hasKnownPhrase(text: string): boolean {
  const letters = text.toLowerCase().replace(/[-_. ]/g, '');
  const plain = letters.replace(/[013457@$]/g, (sign) => substitutions[sign] ?? sign);
  return knownPhrases.some((word) => letters.includes(word) || plain.includes(word));
}

/** Characters that continue a sequence or a keyboard row count half a bit, repetitions nothing, others log2 of the alphabet used. */
function estimateBits(text: string): number {
  const chars = [...text.toLowerCase()];
  const known = new Set<string>();
  const perCharacter = Math.log2(new Set(text).size);
  let bits = 0;
  chars.forEach((char, index) => {
    const before = chars[index - 1] ?? '';
    const lastThree = chars.slice(index - 2, index + 1).join('');
    const step = char.charCodeAt(0) - before.charCodeAt(0);
    if (index >= 2 && known.has(lastThree)) return;
    if (index >= 2) known.add(lastThree);
    bits += Math.abs(step) <= 1 || neighbours.has(before + char) ? 0.5 : perCharacter;
  });
  return bits;
}

/** The printable text that a secret encodes, if any; random bytes are hardly ever printable. */
function decoded(secret: string): string[] {
  const isHex = /^([\da-f]{2})+$/i.test(secret);
  const isBase64 = /^[\w+/-]+={0,2}$/.test(secret);
  const encodings = [...(isHex ? (['hex'] as const) : []), ...(isBase64 ? (['base64'] as const) : [])];
  return encodings
    .map((name) => Buffer.from(secret, name).toString('latin1'))
    .filter((text) => text.length >= 16 && /^[ -~\s]+$/.test(text)); // shorter random ones may all be printable
}
