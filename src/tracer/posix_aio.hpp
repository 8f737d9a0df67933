// Requests of POSIX AIO that are under way in the process: they are recorded when the program asks for their outcome.
#pragma once

namespace sv::profile {

/// In the child of a fork, which has none of its parent's requests.
void forget_requests();

}  // namespace sv::profile
