// Constant, because one of a million random secrets contains a word that production rejects.
export const strongSecret = 'SMl2iyPwabc62-9zaq45iOy72yINZp4YdVaehAW1DycM6XqlImi73i1p7b_K8UtO';
export const strongToken = '111a081aaec8a4388592995a9a61b40ee260e4bab5153753';
